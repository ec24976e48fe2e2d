// The rows.
#include "call_table.h"

#include <sys/syscall.h>

namespace differential {
namespace {

// Younger than the headers of some distributions.
constexpr long faccessat2_number = 439;
constexpr long fchmodat2_number = 452;
constexpr long setxattrat_number = 463;
constexpr long removexattrat_number = 466;

constexpr Effect changes = Effect::changes;
constexpr Effect reads = Effect::reads;
constexpr Returns descriptor = Returns::descriptor;

// clang-format off
constexpr CallRow rows[] = {
    {"openat", SYS_openat, "dpom", 30, changes, descriptor},
    {"openat2", SYS_openat2, "dpH", 8, changes, descriptor},
    {"mkdirat", SYS_mkdirat, "dqm", 8, changes},
    {"unlinkat", SYS_unlinkat, "dpu", 8, changes},
    {"renameat", SYS_renameat, "dpdq", 5, changes},
    {"renameat2", SYS_renameat2, "dpdqr", 12, changes},
    {"linkat", SYS_linkat, "dpdqk", 10, changes},
    {"symlinkat", SYS_symlinkat, "tdq", 6, changes},
    {"mknodat", SYS_mknodat, "dqMv", 5, changes},
#ifdef __x86_64__
    {"open", SYS_open, "pom", 10, changes, descriptor},
    {"creat", SYS_creat, "pm", 3, changes, descriptor},
    {"mkdir", SYS_mkdir, "qm", 4, changes},
    {"rmdir", SYS_rmdir, "y", 6, changes},
    {"unlink", SYS_unlink, "p", 6, changes},
    {"rename", SYS_rename, "pq", 8, changes},
    {"link", SYS_link, "pq", 4, changes},
    {"symlink", SYS_symlink, "tq", 3, changes},
    {"mknod", SYS_mknod, "qMv", 3, changes},
    {"chmod", SYS_chmod, "pm", 4, changes},
    {"chown", SYS_chown, "pUG", 3, changes},
    {"lchown", SYS_lchown, "pUG", 2, changes},
    {"utime", SYS_utime, "pW", 2, changes},
    {"utimes", SYS_utimes, "pV", 2, changes},
    {"futimesat", SYS_futimesat, "dpV", 2, changes},
    {"access", SYS_access, "pR", 2},
#endif
    {"fchmod", SYS_fchmod, "fm", 4, changes},
    {"fchmodat", SYS_fchmodat, "dpm", 4, changes},
    {"fchmodat2", fchmodat2_number, "dpma", 5, changes},
    {"fchown", SYS_fchown, "fUG", 3, changes},
    {"fchownat", SYS_fchownat, "dpUGa", 5, changes},
    {"utimensat", SYS_utimensat, "dpTa", 7, changes},
    {"truncate", SYS_truncate, "pL", 6, changes},
    {"ftruncate", SYS_ftruncate, "fL", 3, changes},
    {"setxattr", SYS_setxattr, "pxbF", 4, changes},
    {"lsetxattr", SYS_lsetxattr, "pxbF", 3, changes},
    {"fsetxattr", SYS_fsetxattr, "fxbF", 3, changes},
    {"removexattr", SYS_removexattr, "px", 2, changes},
    {"lremovexattr", SYS_lremovexattr, "px", 2, changes},
    {"fremovexattr", SYS_fremovexattr, "fx", 2, changes},
    {"getxattr", SYS_getxattr, "pxB", 1},
    {"listxattr", SYS_listxattr, "pB", 1},
    {"faccessat", SYS_faccessat, "dpR", 2},
    {"faccessat2", faccessat2_number, "dpRe", 3},
    {"newfstatat", SYS_newfstatat, "dpSa", 4},
    {"readlinkat", SYS_readlinkat, "dpB", 3},
    {"chdir", SYS_chdir, "y", 5},
    {"fchdir", SYS_fchdir, "f", 2},
    {"getcwd", SYS_getcwd, "B", 1},
    {"umask", SYS_umask, "m", 3},
    {"close", SYS_close, "f", 3},
    {"dup", SYS_dup, "f", 2, reads, descriptor},
    {"dup3", SYS_dup3, "fND", 2, reads, descriptor},
    {"fcntl", SYS_fcntl, "f4i", 1, changes},
    {"read", SYS_read, "fB", 2},
    {"write", SYS_write, "fb", 5, changes},
    {"lseek", SYS_lseek, "fLh", 1},
    {"bind", SYS_bind, "fA", 3, changes},
    {"connect", SYS_connect, "fA", 2},
    {"setresuid", SYS_setresuid, "UUU", 1},
    {"setresgid", SYS_setresgid, "GGG", 1},
    {"setfsuid", SYS_setfsuid, "U", 1},
    {"setfsgid", SYS_setfsgid, "G", 1},
    {"setgroups", SYS_setgroups, "g", 1},
    {"capset", SYS_capset, "C", 1},
    {"execve", SYS_execve, "p00", 2},
    {"execveat", SYS_execveat, "dp00a", 3},
    {"setxattrat", setxattrat_number, "dpaxX", 2, changes},
    {"removexattrat", removexattrat_number, "dpax", 2, changes},
    {"prlimit64", SYS_prlimit64, "0wl0", 2},
};
// clang-format on

}  // namespace

std::span<const CallRow> call_table() {
    return rows;
}

const CallRow* find_call(std::string_view name) {
    for (const CallRow& row : rows)
        if (row.name == name) return &row;
    return nullptr;
}

}  // namespace differential
