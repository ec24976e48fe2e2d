// Tests of the table of system calls: against libseccomp's numbers, and for the families that must
// be complete.
#include "linux/syscalls.h"

#include <doctest/doctest.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "linux/broker/handlers.h"
#include "linux/ioctl_rules.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

bool notifies(Filter filter) {
    return filter != Filter::allow && filter != Filter::absent && filter != Filter::prctl_option;
}

const SyscallRow* row_named(const std::string& name) {
    for (const SyscallRow& row : syscall_table())
        if (name == row.name) return &row;
    return nullptr;
}

TEST_CASE("each row has the number that libseccomp knows for its name") {
    int compared = 0;
    for (const SyscallRow& row : syscall_table()) {
        char* const name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, row.number);
        if (name != nullptr) {
            CHECK(std::string(row.name) == name);
            ++compared;
        }
        std::free(name);
    }
    CHECK(compared > 300);
}

TEST_CASE("every call that libseccomp knows has a row") {
    for (int number = 0; number < 512; ++number) {
        char* const name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
        if (name != nullptr) {
            CHECK_MESSAGE(std::string(syscall_row(number).name) == name, "number ", number);
        }
        std::free(name);
    }
}

TEST_CASE("rows are ordered by number, one for each") {
    int last = -1;
    for (const SyscallRow& row : syscall_table()) {
        CHECK(row.number > last);
        last = row.number;
        CHECK(&syscall_row(row.number) == &row);
    }
    CHECK(last >= __NR_file_setattr);
}

TEST_CASE("a number without a call is absent") {
    for (const int number :
         {-1, (syscall_table().end() - 1)->number + 1, 400, 100000, 0x40000000}) {
        CHECK(syscall_row(number).filter == Filter::absent);
        CHECK((syscall_row(number).handler == nullptr));
    }
}

TEST_CASE("a row has a handler exactly when the filter may notify") {
    for (const SyscallRow& row : syscall_table())
        CHECK_MESSAGE((row.handler != nullptr) == notifies(row.filter), row.name);
    CHECK((foreign_architecture_row().handler == serve_refused_call));
}

TEST_CASE("every call that is always refused says what it would have done") {
    for (const SyscallRow& row : syscall_table())
        if (row.handler == serve_refused_call) CHECK_MESSAGE(*row.operation != '\0', row.name);
    CHECK(*foreign_architecture_row().operation != '\0');
}

TEST_CASE("every call that changes a file or a name by its path goes to the broker") {
    const std::vector<std::string> calls = {"creat",         "mkdir",
                                            "mkdirat",       "rmdir",
                                            "unlink",        "unlinkat",
                                            "rename",        "renameat",
                                            "renameat2",     "link",
                                            "linkat",        "symlink",
                                            "symlinkat",     "mknod",
                                            "mknodat",       "chmod",
                                            "fchmodat",      "fchmodat2",
                                            "chown",         "lchown",
                                            "fchownat",      "utime",
                                            "utimes",        "futimesat",
                                            "utimensat",     "setxattr",
                                            "lsetxattr",     "setxattrat",
                                            "removexattr",   "lremovexattr",
                                            "removexattrat", "truncate",
                                            "openat2",       "open_by_handle_at",
                                            "file_setattr",  "mq_open",
                                            "mq_unlink"};
    for (const std::string& name : calls) {
        const SyscallRow* row = row_named(name);
        if (row == nullptr && seccomp_syscall_resolve_name_arch(SCMP_ARCH_NATIVE, name.c_str()) < 0)
            continue;
        REQUIRE_MESSAGE(row != nullptr, name);
        CHECK_MESSAGE(row->filter == Filter::notify, name);
    }
    CHECK(row_named("openat")->filter == Filter::open_flags);
    CHECK(row_named("openat")->argument == 2);
}

TEST_CASE("every call that changes metadata by a descriptor goes to the broker") {
    for (const char* name : {"fchmod", "fchown", "fsetxattr", "fremovexattr", "utimensat"})
        CHECK_MESSAGE(row_named(name)->filter == Filter::notify, name);
    CHECK(row_named("ioctl")->filter == Filter::ioctl_command);
}

TEST_CASE("every call that can send to an address goes to the broker") {
    for (const char* name : {"connect", "bind", "sendmsg", "sendmmsg"})
        CHECK_MESSAGE(row_named(name)->filter == Filter::notify, name);
    CHECK(row_named("sendto")->filter == Filter::nonzero);
    CHECK(row_named("sendto")->argument == 4);
    CHECK(row_named("io_uring_setup")->filter == Filter::absent);
}

TEST_CASE("calls that no filter may hold up are allowed") {
    for (const char* name :
         {"close", "wait4", "waitid", "read", "write", "exit", "rt_sigreturn", "futex", "mmap"})
        CHECK_MESSAGE(row_named(name)->filter == Filter::allow, name);
}

TEST_CASE("calls with arguments in memory that would decide are never filtered by registers") {
    CHECK(row_named("clone3")->filter == Filter::absent);
    CHECK(row_named("openat2")->filter == Filter::notify);
}

TEST_CASE(
    "ioctl commands that change a file or type into a terminal go to the broker, others do not") {
    CHECK(ioctl_needs_broker(FS_IOC_SETFLAGS));
    CHECK(ioctl_needs_broker(FS_IOC_FSSETXATTR));
    CHECK(ioctl_needs_broker(FS_IOC_SETVERSION));
    CHECK(ioctl_needs_broker(FS_IOC_ENABLE_VERITY));
    CHECK(ioctl_needs_broker(FS_IOC_SET_ENCRYPTION_POLICY));
    CHECK(ioctl_needs_broker(FS_IOC_ADD_ENCRYPTION_KEY));
    CHECK(ioctl_needs_broker(FIFREEZE));
    CHECK(ioctl_needs_broker(FS_IOC_SETFSLABEL));
    CHECK(ioctl_needs_broker(_IOW(0x94, 14, char[4096])));  // BTRFS_IOC_SUBVOL_CREATE
    CHECK(ioctl_needs_broker(TIOCSTI));
    CHECK(ioctl_needs_broker(TIOCLINUX));
    CHECK(ioctl_needs_broker(TIOCGPTPEER));
    CHECK_FALSE(ioctl_needs_broker(TCGETS));
    CHECK_FALSE(ioctl_needs_broker(TIOCGWINSZ));
    CHECK_FALSE(ioctl_needs_broker(FIONREAD));
    CHECK_FALSE(ioctl_needs_broker(FS_IOC_GETFLAGS));
    CHECK_FALSE(ioctl_needs_broker(FICLONE));
}

}  // namespace
}  // namespace linux_backend
