// The descriptors at the start.
#include "linux/inherited.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace linux_backend {
namespace {

bool is_among(const std::vector<os::Fd>& objects, const struct stat& status) {
    return std::any_of(objects.begin(), objects.end(), [&](const os::Fd& object) {
        struct stat known;
        return ::fstat(object.get(), &known) == 0 && known.st_dev == status.st_dev &&
               known.st_ino == status.st_ino;
    });
}

void add_terminal(std::vector<os::Fd>& terminals, int fd, const struct stat& status) {
    if (is_among(terminals, status)) return;
    // Not a duplicate: an open terminal would not hang up.
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    os::Fd object(::open(link.c_str(), O_PATH | O_CLOEXEC));
    if (object) terminals.push_back(std::move(object));
}

/// The controlling terminal, where no descriptor at the start is open on it. Others are found by
/// their device number alone, which each instance of devpts gives anew: the kernel says whether it
/// is ours.
void add_controlling_terminal(std::vector<os::Fd>& terminals) {
    constexpr unsigned first_slave = 136;  // UNIX98_PTY_SLAVE_MAJOR, eight of them
    const os::Fd own(::open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    unsigned device = 0;
    if (!own || ::ioctl(own.get(), TIOCGDEV, &device) != 0) return;
    const unsigned number = major(device) - first_slave;
    if (number >= 8) return;
    const std::string path = "/dev/pts/" + std::to_string(number * 256 + minor(device));
    const os::Fd named(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    pid_t session = 0;
    struct stat status;
    if (named && ::ioctl(named.get(), TIOCGSID, &session) == 0 &&
        ::fstat(named.get(), &status) == 0)
        add_terminal(terminals, named.get(), status);
}

bool is_terminal(int fd, const struct stat& status) {
    // /dev/tty is granted as such; the node of a master is that of all masters.
    const bool by_other_node = status.st_rdev == makedev(5, 0) || status.st_rdev == makedev(5, 2);
    return S_ISCHR(status.st_mode) && !by_other_node && ::isatty(fd) != 0;
}

}  // namespace

Inherited inherited_objects() {
    Inherited inherited;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc/self/fd"), ::closedir);
    while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr) {
        const int fd = std::atoi(entry->d_name);
        const int flags = ::fcntl(fd, F_GETFL);
        struct stat status;
        if (flags < 0 || (flags & O_PATH) != 0 || ::fstat(fd, &status) != 0) continue;
        if (S_ISREG(status.st_mode) && (flags & O_ACCMODE) != O_RDONLY)
            inherited.writable.push_back({status.st_dev, status.st_ino});
        if (is_terminal(fd, status)) add_terminal(inherited.terminals, fd, status);
    }
    add_controlling_terminal(inherited.terminals);
    return inherited;
}

}  // namespace linux_backend
