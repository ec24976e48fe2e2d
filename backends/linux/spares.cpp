// The stock of directories.
#include "linux/spares.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace linux_backend {
namespace {

constexpr unsigned stock = 4;

bool make_directory(const std::string& path) {
    return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

std::string stock_of(const launch::Plan& plan) {
    return plan.state + "/spare/" + plan.fingerprint;
}

std::string spare(const std::string& stock_directory, unsigned number) {
    return stock_directory + "/" + std::to_string(number);
}

}  // namespace

unsigned Spares::grant(const launch::Plan& plan, Floor& floor) {
    if (plan.state.empty() || plan.fingerprint.empty()) return 0;
    const std::string all = plan.state + "/spare";
    const std::string mine = stock_of(plan);
    unsigned granted = 0;
    for (unsigned number = 0; number < stock; ++number) {
        const std::string path = spare(mine, number);
        os::Fd directory(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!directory) {
            if (!make_directory(path) &&
                !(make_directory(all) && make_directory(mine) && make_directory(path)))
                break;
            directory.reset(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        }
        landlock_path_beneath_attr rule = {};
        rule.allowed_access =
            LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
        rule.parent_fd = directory.get();
        if (::syscall(SYS_landlock_add_rule, floor.ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule,
                      0) == 0)
            granted |= 1U << number;
    }
    return granted;
}

Spares::Spares(const launch::Plan& plan, unsigned granted) {
    for (unsigned number = 0; number < stock; ++number) {
        if ((granted & 1U << number) != 0) paths_.push_back(spare(stock_of(plan), number));
    }
}

bool Spares::put(int parent, const std::string& name, mode_t mode) const {
    struct stat status;
    // A directory with the set-group-ID bit hands on its group.
    if (paths_.empty() || ::fstat(parent, &status) != 0 || (status.st_mode & S_ISGID) != 0)
        return false;
    for (const std::string& path : paths_) {
        if (::renameat2(AT_FDCWD, path.c_str(), parent, name.c_str(), RENAME_NOREPLACE) != 0) {
            if (errno == ENOENT) continue;  // Taken already.
            return false;
        }
        const mode_t mask = ::umask(0);
        ::umask(mask);
        ::fchmodat(parent, name.c_str(), mode & 01777 & ~mask, 0);
        ::utimensat(parent, name.c_str(), nullptr, 0);
        return true;
    }
    return false;
}

}  // namespace linux_backend
