// The real file system, as the policy's decisions may look at it.
#include "os/tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/fd.h"

namespace os {
namespace {

using core::Error;
using core::fail;

/// Reads to the end of the file, which may have grown since its size was taken, but never more than
/// `limit` bytes.
core::Result<std::string> read_all(int descriptor, std::size_t size_hint, std::size_t limit,
                                   const std::string& path) {
    std::string text;
    text.resize(size_hint);
    std::size_t length = 0;
    for (;;) {
        // One byte more than expected, so that the usual file ends with the second read.
        if (length == text.size()) text.resize(length + (length == size_hint ? 1 : 4096));
        const ssize_t got = read(descriptor, text.data() + length, text.size() - length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(core::system_error("read", path));
        if (got == 0) break;
        length += static_cast<std::size_t>(got);
        if (length > limit) return fail(Error{"read", path, EFBIG, {}, {}});
    }
    text.resize(length);
    return text;
}

}  // namespace

core::Result<std::string> read_regular_file(const std::string& path, std::size_t limit,
                                            Links links) {
    const int extra = links == Links::refuse ? O_NOFOLLOW : 0;
    const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | extra));
    if (!file) return fail(core::system_error("read", path));
    struct stat status;
    if (fstat(file.get(), &status) != 0) return fail(core::system_error("read", path));
    if (!S_ISREG(status.st_mode))
        return fail(Error{"read", path, EINVAL, "it is not a regular file", {}});
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > limit) return fail(Error{"read", path, EFBIG, {}, {}});
    return read_all(file.get(), size, limit, path);
}

policy::Tree::Kind RealTree::kind(std::string_view path) const {
    struct stat status;
    if (lstat(std::string(path).c_str(), &status) != 0) return Kind::absent;
    if (S_ISREG(status.st_mode)) return Kind::file;
    if (S_ISDIR(status.st_mode)) return Kind::directory;
    return Kind::other;
}

std::optional<std::string> RealTree::content(std::string_view path, std::size_t limit) const {
    auto text = read_regular_file(std::string(path), limit, Links::refuse);
    if (!text) return std::nullopt;
    return *std::move(text);
}

}  // namespace os
