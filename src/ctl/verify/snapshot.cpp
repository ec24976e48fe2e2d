// All of a tree that a change could show in.
#include "ctl/verify/snapshot.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "ctl/verify/ground.h"

namespace ctl::verify {
namespace {

std::string attributes_of(const std::string& path) {
    char names[4096];
    const ssize_t size = llistxattr(path.c_str(), names, sizeof names);
    std::string text;
    for (ssize_t at = 0; at < size;) {
        const std::string name = names + at;
        at += static_cast<ssize_t>(name.size()) + 1;
        char value[256];
        const ssize_t length = lgetxattr(path.c_str(), name.c_str(), value, sizeof value);
        text += " " + name + "=";
        if (length > 0) text.append(value, static_cast<std::size_t>(length));
    }
    return text;
}

/// What only a regular file or a directory has.
std::string flags_of(const std::string& path) {
    const os::Fd file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    int flags = 0;
    if (!file || ioctl(file.get(), FS_IOC_GETFLAGS, &flags) != 0) return "";
    return " flags " + std::to_string(flags);
}

std::string entry_of(const std::string& path, const struct stat& status) {
    std::string text = path;
    for (const std::uint64_t number :
         {std::uint64_t(status.st_dev), std::uint64_t(status.st_ino), std::uint64_t(status.st_mode),
          std::uint64_t(status.st_nlink), std::uint64_t(status.st_uid),
          std::uint64_t(status.st_gid), std::uint64_t(status.st_size),
          std::uint64_t(status.st_mtim.tv_sec), std::uint64_t(status.st_mtim.tv_nsec)}) {
        text += " " + std::to_string(number);
    }
    text += attributes_of(path);
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) text += flags_of(path);
    if (S_ISREG(status.st_mode)) text += "\n" + content_of(path);
    if (S_ISLNK(status.st_mode)) {
        std::error_code ignored;
        text += " -> " + std::filesystem::read_symlink(path, ignored).string();
    }
    return text + "\n";
}

}  // namespace

std::string snapshot(const std::string& path) {
    struct stat status;
    if (lstat(path.c_str(), &status) != 0) return "absent";
    std::string text = entry_of(path, status);
    if (!S_ISDIR(status.st_mode)) return text;
    std::set<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(path, ignored))
        names.insert(entry.path().string());
    for (const std::string& name : names) text += snapshot(name);
    return text;
}

}  // namespace ctl::verify
