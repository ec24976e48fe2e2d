// Reading another process through process_vm_readv(2), pidfd_getfd(2) and /proc.
#include "linux/broker/caller.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace linux_backend {
namespace {

constexpr std::size_t page = 4096;

OrErrno<os::Fd> open_proc(pid_t thread, const char* what) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/%s", thread, what);
    os::Fd fd(::open(path, O_PATH | O_CLOEXEC));
    if (!fd) return failed(errno);
    return fd;
}

/// What a failure to look into the caller means for its call.
int memory_error(int error_number) {
    return error_number == EPERM ? EACCES : error_number == ESRCH ? ESRCH : EFAULT;
}

}  // namespace

bool still_reads(pid_t thread, const Seen& seen) {
    const Caller caller(thread);
    for (const Seen::Memory& reading : seen.memory) {
        std::string now(reading.bytes.size(), '\0');
        if (!caller.read(reading.address, std::as_writable_bytes(std::span(now))) ||
            now != reading.bytes)
            return false;
    }
    return true;
}

pid_t Caller::process() const {
    if (process_ != 0) return process_;
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/status", thread_);
    const os::Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
    char text[512];
    const ssize_t size = fd ? ::read(fd.get(), text, sizeof text - 1) : -1;
    if (size <= 0) return 0;
    text[size] = '\0';
    if (const char* line = std::strstr(text, "\nTgid:")) std::sscanf(line + 6, "%d", &process_);
    return process_;
}

OrErrno<void> Caller::read(std::uint64_t address, std::span<std::byte> into) const {
    const iovec local{into.data(), into.size()};
    const iovec remote{reinterpret_cast<void*>(address), into.size()};
    const ssize_t copied = ::process_vm_readv(thread_, &local, 1, &remote, 1, 0);
    if (copied != static_cast<ssize_t>(into.size()))
        return failed(copied < 0 ? memory_error(errno) : EFAULT);
    note(address, into.data(), into.size());
    return {};
}

void Caller::note(std::uint64_t address, const void* bytes, std::size_t size) const {
    if (seen_ != nullptr)
        seen_->memory.push_back({address, std::string(static_cast<const char*>(bytes), size)});
}

OrErrno<void> Caller::write(std::uint64_t address, std::span<const std::byte> from) const {
    const iovec local{const_cast<std::byte*>(from.data()), from.size()};
    const iovec remote{reinterpret_cast<void*>(address), from.size()};
    const ssize_t copied = ::process_vm_writev(thread_, &local, 1, &remote, 1, 0);
    if (copied == static_cast<ssize_t>(from.size())) return {};
    return failed(copied < 0 ? memory_error(errno) : EFAULT);
}

OrErrno<std::string> Caller::path(std::uint64_t address) const {
    return string(address, PATH_MAX - 1, ENAMETOOLONG);
}

OrErrno<std::string> Caller::string(std::uint64_t address, std::size_t limit, int too_long) const {
    std::string text;
    // Page by page: the string may end just before memory that is not mapped.
    while (text.size() <= limit) {
        const std::uint64_t at = address + text.size();
        char buffer[page];
        const std::size_t size = page - at % page;
        const iovec local{buffer, size};
        const iovec remote{reinterpret_cast<void*>(at), size};
        const ssize_t copied = ::process_vm_readv(thread_, &local, 1, &remote, 1, 0);
        if (copied <= 0) return failed(copied < 0 ? memory_error(errno) : EFAULT);
        const auto length = static_cast<std::size_t>(copied);
        if (const void* end = std::memchr(buffer, '\0', length)) {
            text.append(buffer, static_cast<std::size_t>(static_cast<const char*>(end) - buffer));
            if (text.size() > limit) break;
            note(address, text.c_str(), text.size() + 1);
            return text;
        }
        text.append(buffer, length);
    }
    return failed(too_long);
}

OrErrno<os::Fd> Caller::open_path(int descriptor) const {
    if (descriptor < 0) return failed(EBADF);
    char what[32];
    std::snprintf(what, sizeof what, "fd/%d", descriptor);
    auto fd = open_proc(thread_, what);
    if (!fd && fd.error() == ENOENT) return failed(EBADF);
    return fd;
}

OrErrno<os::Fd> Caller::duplicate(int descriptor) const {
    if (descriptor < 0) return failed(EBADF);
    // PIDFD_THREAD names a thread with a descriptor table of its own; kernels before 6.9 only know
    // processes.
    os::Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, thread_, O_EXCL)));
    if (!pidfd) pidfd.reset(static_cast<int>(::syscall(SYS_pidfd_open, process(), 0)));
    if (!pidfd) return failed(errno);
    os::Fd copy(static_cast<int>(::syscall(SYS_pidfd_getfd, pidfd.get(), descriptor, 0)));
    if (!copy) return failed(errno == EPERM ? EACCES : errno);
    return copy;
}

OrErrno<os::Fd> Caller::working_directory() const {
    return open_proc(thread_, "cwd");
}

}  // namespace linux_backend
