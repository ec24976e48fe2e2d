// The end of a file.
#include "audit/tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/fd.h"

namespace audit {

std::string read_tail(const std::string& path, std::size_t limit) {
    const os::Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status;
    if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const auto size = static_cast<std::size_t>(status.st_size);
    const std::size_t begin = size > limit ? size - limit : 0;
    std::string text(size - begin, '\0');
    std::size_t length = 0;
    while (length < text.size()) {
        const ssize_t got = pread(file.get(), text.data() + length, text.size() - length,
                                  static_cast<off_t>(begin + length));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        length += static_cast<std::size_t>(got);
    }
    text.resize(length);
    if (begin > 0)
        text.erase(0, text.find('\n') == std::string::npos ? text.size() : text.find('\n') + 1);
    return text;
}

}  // namespace audit
