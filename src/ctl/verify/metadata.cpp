// Effects on the metadata of files that the sandbox may read but not write.
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <ctime>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/targets.h"
#include "os/uapi.h"

namespace ctl::verify {
namespace {

constexpr timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
constexpr char attribute[] = "user.verify";

std::string file_in(const Arguments& a) {
    return a[0] + "/file";
}

int for_reading(const Arguments& a) {
    return open_path(file_in(a), O_RDONLY);
}

int change_mode(const Arguments& a) {
    return outcome_of(call(SYS_fchmodat, AT_FDCWD, file_in(a).c_str(), 0777));
}

int change_mode_newer(const Arguments& a) {
    return outcome_of(call(__NR_fchmodat2, AT_FDCWD, file_in(a).c_str(), 0777, 0));
}

int change_mode_held(const Arguments& a) {
    return outcome_of(call(SYS_fchmod, for_reading(a), 0777));
}

int change_owner(const Arguments& a) {
    return outcome_of(call(SYS_fchownat, AT_FDCWD, file_in(a).c_str(), geteuid(), getegid(), 0));
}

int change_owner_held(const Arguments& a) {
    return outcome_of(call(SYS_fchown, for_reading(a), geteuid(), getegid()));
}

int change_times(const Arguments& a) {
    return outcome_of(call(SYS_utimensat, AT_FDCWD, file_in(a).c_str(), long_ago, 0));
}

int change_times_held(const Arguments& a) {
    return outcome_of(call(SYS_utimensat, for_reading(a), nullptr, long_ago, 0));
}

int set_attribute(const Arguments& a) {
    return outcome_of(call(SYS_setxattr, file_in(a).c_str(), attribute, "x", 1, 0));
}

int set_attribute_held(const Arguments& a) {
    return outcome_of(call(SYS_fsetxattr, for_reading(a), attribute, "x", 1, 0));
}

int set_flags_held(const Arguments& a) {
    const int file = for_reading(a);
    int flags = 0;
    if (file < 0 || call(SYS_ioctl, file, FS_IOC_GETFLAGS, &flags) != 0) return errno;
    flags ^= FS_NODUMP_FL;
    return outcome_of(call(SYS_ioctl, file, FS_IOC_SETFLAGS, &flags));
}

constexpr policy::Access w = policy::Access::write;

constexpr Effect effects[] = {
    {"metadata.chmod", "change a mode", outside_tree, change_mode, w},
    {"metadata.fchmodat2", "change a mode by fchmodat2", outside_tree, change_mode_newer, w},
    {"metadata.fchmod", "change a mode through a descriptor for reading", outside_tree,
     change_mode_held, w},
    {"metadata.chown", "change an owner", outside_tree, change_owner, w},
    {"metadata.fchown", "change an owner through a descriptor for reading", outside_tree,
     change_owner_held, w},
    {"metadata.utimes", "change times", outside_tree, change_times, w},
    {"metadata.futimes", "change times through a descriptor for reading", outside_tree,
     change_times_held, w},
    {"metadata.setxattr", "set an extended attribute", outside_tree, set_attribute, w},
    {"metadata.fsetxattr", "set an extended attribute through a descriptor for reading",
     outside_tree, set_attribute_held, w},
    {"metadata.flags", "set file flags through a descriptor for reading", outside_tree,
     set_flags_held, w},
};

}  // namespace

std::span<const Effect> metadata_effects() {
    return effects;
}

}  // namespace ctl::verify
