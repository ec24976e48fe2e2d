// Copies that only the broker ever had open.
#include "linux/broker/checked_copy.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>

#include "os/fd.h"

namespace linux_backend {
namespace {

OrErrno<void> write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(fd, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return failed(errno);
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return {};
}

std::string temporary_name() {
    static std::atomic<unsigned> counter{0};
    return ".sbxsh-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

OrErrno<void> fill(int file, const Content& content) {
    if (auto written = write_all(file, content.text); !written) return written;
    // Another owner's file becomes the caller's where it may not give files away.
    if (::fchown(file, content.status.st_uid, content.status.st_gid) != 0 && errno != EPERM)
        return failed(errno);
    if (::fchmod(file, content.status.st_mode & 0777) != 0) return failed(errno);
    return {};
}

}  // namespace

OrErrno<Content> read_content(int parent, const std::string& name, std::size_t limit) {
    constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const os::Fd file(::openat(parent, name.c_str(), flags));
    if (!file) return failed(errno);
    return read_content(file.get(), limit);
}

OrErrno<Content> read_content(int file, std::size_t limit) {
    Content content;
    if (::fstat(file, &content.status) != 0) return failed(errno);
    if (!S_ISREG(content.status.st_mode)) return failed(EINVAL);
    std::array<char, 16384> buffer;
    for (;;) {
        const ssize_t got =
            ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(content.text.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed(errno);
        if (got == 0) return content;
        content.text.append(buffer.data(), static_cast<std::size_t>(got));
        if (content.text.size() > limit) return failed(EFBIG);
    }
}

OrErrno<void> install_copy(int parent, const std::string& name, const Content& content,
                           unsigned flags) {
    const std::string temporary = temporary_name();
    constexpr int open_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const os::Fd file(::openat(parent, temporary.c_str(), open_flags, 0600));
    if (!file) return failed(errno);
    auto done = fill(file.get(), content);
    if (done &&
        ::syscall(SYS_renameat2, parent, temporary.c_str(), parent, name.c_str(), flags) != 0)
        done = failed(errno);
    if (!done) ::unlinkat(parent, temporary.c_str(), 0);
    return done;
}

}  // namespace linux_backend
