// The decision for each system call, by family. Order within the file is free: the table is sorted
// when compiled. Source: the kernel's arch/x86/entry/syscalls/syscall_64.tbl and
// scripts/syscall.tbl, up to Linux 6.19.
#include "linux/syscalls.h"

#include <linux/audit.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "linux/broker/handlers.h"
#include "os/uapi.h"

namespace linux_backend {

namespace {

using enum Filter;

#define CALL(name) __NR_##name, #name
#define REFUSED(name, operation) \
    { CALL(name), notify, serve_refused_call, 0, operation }

// clang-format off
constexpr SyscallRow rows_by_family[] = {
    // --- Opening files. ---
    {CALL(openat), open_flags, serve_openat, 2},
    {CALL(openat2), notify, serve_openat2},  // its flags are in memory
#ifdef __x86_64__
    {CALL(open), open_flags, serve_open, 1},
    {CALL(creat), notify, serve_creat},
#endif
    REFUSED(open_by_handle_at, "open a file by its handle"),
    {CALL(name_to_handle_at), allow},  // a handle opens nothing by itself
    {CALL(memfd_create), allow},
    {CALL(memfd_secret), allow},

    // --- Making, moving and removing names. ---
    {CALL(mkdirat), notify, serve_mkdirat},
    {CALL(unlinkat), notify, serve_unlinkat},
    {CALL(renameat), notify, serve_renameat},
    {CALL(renameat2), notify, serve_renameat2},
    {CALL(linkat), notify, serve_linkat},
    {CALL(symlinkat), notify, serve_symlinkat},
    {CALL(mknodat), notify, serve_mknodat},
#ifdef __x86_64__
    {CALL(mkdir), notify, serve_mkdir},
    {CALL(rmdir), notify, serve_rmdir},
    {CALL(unlink), notify, serve_unlink},
    {CALL(rename), notify, serve_rename},
    {CALL(link), notify, serve_link},
    {CALL(symlink), notify, serve_symlink},
    {CALL(mknod), notify, serve_mknod},
#endif

    // --- Changing metadata: on descriptors too, since Landlock covers none of it and any descriptor would do. ---
    {CALL(fchmod), notify, serve_fchmod},
    {CALL(fchmodat), notify, serve_fchmodat},
    {CALL(fchmodat2), notify, serve_fchmodat2},
    {CALL(fchown), notify, serve_fchown},
    {CALL(fchownat), notify, serve_fchownat},
    {CALL(utimensat), notify, serve_utimensat},
    {CALL(setxattr), notify, serve_setxattr},
    {CALL(lsetxattr), notify, serve_lsetxattr},
    {CALL(fsetxattr), notify, serve_fsetxattr},
    {CALL(setxattrat), notify, serve_setxattrat},
    {CALL(removexattr), notify, serve_removexattr},
    {CALL(lremovexattr), notify, serve_lremovexattr},
    {CALL(fremovexattr), notify, serve_fremovexattr},
    {CALL(removexattrat), notify, serve_removexattrat},
    {CALL(file_setattr), notify, serve_file_setattr},
    {CALL(truncate), notify, serve_truncate},
    {CALL(ioctl), ioctl_command, serve_ioctl},
#ifdef __x86_64__
    {CALL(chmod), notify, serve_chmod},
    {CALL(chown), notify, serve_chown},
    {CALL(lchown), notify, serve_lchown},
    {CALL(utime), notify, serve_utime},
    {CALL(utimes), notify, serve_utimes},
    {CALL(futimesat), notify, serve_futimesat},
#endif

    // --- Looking at names and metadata. ---
    {CALL(faccessat), allow},
    {CALL(faccessat2), allow},
    {CALL(readlinkat), allow},
    {CALL(newfstatat), allow},
    {CALL(fstat), allow},
    {CALL(statx), allow},
    {CALL(statfs), allow},
    {CALL(fstatfs), allow},
    {CALL(getxattr), allow},
    {CALL(lgetxattr), allow},
    {CALL(fgetxattr), allow},
    {CALL(getxattrat), allow},
    {CALL(listxattr), allow},
    {CALL(llistxattr), allow},
    {CALL(flistxattr), allow},
    {CALL(listxattrat), allow},
    {CALL(file_getattr), allow},
    {CALL(statmount), allow},
    {CALL(listmount), allow},
    {CALL(listns), allow},
    {CALL(getcwd), allow},
    {CALL(chdir), allow},
    {CALL(fchdir), allow},
    {CALL(getdents64), allow},
    {CALL(inotify_init1), allow},
    {CALL(inotify_add_watch), allow},
    {CALL(inotify_rm_watch), allow},
    {CALL(cachestat), allow},
#ifdef __x86_64__
    {CALL(stat), allow},
    {CALL(lstat), allow},
    {CALL(access), allow},
    {CALL(readlink), allow},
    {CALL(getdents), allow},
    {CALL(ustat), allow},
    {CALL(sysfs), allow},  // names of file system types
    {CALL(inotify_init), allow},
#endif

    // --- Descriptors that the caller holds: they were opened by a call that was decided, for what they allow. ---
    {CALL(read), allow},
    {CALL(write), allow},
    {CALL(readv), allow},
    {CALL(writev), allow},
    {CALL(pread64), allow},
    {CALL(pwrite64), allow},
    {CALL(preadv), allow},
    {CALL(pwritev), allow},
    {CALL(preadv2), allow},
    {CALL(pwritev2), allow},
    {CALL(close), allow},
    {CALL(close_range), allow},
    {CALL(lseek), allow},
    {CALL(dup), allow},
    {CALL(dup3), allow},
    {CALL(fcntl), allow},  // F_SETOWN: the signal it leads to is under Landlock's scope like kill(2)
    {CALL(flock), allow},
    {CALL(fsync), allow},
    {CALL(fdatasync), allow},
    {CALL(sync), allow},
    {CALL(syncfs), allow},
    {CALL(sync_file_range), allow},
    {CALL(ftruncate), allow},        // needs a descriptor open for writing
    {CALL(fallocate), allow},        // the same
    {CALL(copy_file_range), allow},  // the same
    {CALL(sendfile), allow},
    {CALL(splice), allow},
    {CALL(tee), allow},
    {CALL(vmsplice), allow},
    {CALL(fadvise64), allow},
    {CALL(readahead), allow},
    {CALL(pipe2), allow},
    {CALL(eventfd2), allow},
    {CALL(signalfd4), allow},
    {CALL(timerfd_create), allow},
    {CALL(timerfd_settime), allow},
    {CALL(timerfd_gettime), allow},
    {CALL(epoll_create1), allow},
    {CALL(epoll_ctl), allow},
    {CALL(epoll_pwait), allow},
    {CALL(epoll_pwait2), allow},
    {CALL(ppoll), allow},
    {CALL(pselect6), allow},
    {CALL(io_setup), allow},  // the older AIO: reads and writes on held descriptors only
    {CALL(io_destroy), allow},
    {CALL(io_submit), allow},
    {CALL(io_cancel), allow},
    {CALL(io_getevents), allow},
    {CALL(io_pgetevents), allow},
#ifdef __x86_64__
    {CALL(dup2), allow},
    {CALL(pipe), allow},
    {CALL(eventfd), allow},
    {CALL(signalfd), allow},
    {CALL(epoll_create), allow},
    {CALL(epoll_wait), allow},
    {CALL(poll), allow},
    {CALL(select), allow},
#endif

    // --- Sockets. ---
    {CALL(socket), socket_domain, serve_socket},
    {CALL(socketpair), Filter::socketpair, serve_socketpair},
    {CALL(connect), notify, serve_connect},
    {CALL(bind), notify, serve_bind},
    {CALL(sendto), nonzero, serve_sendto, 4},
    {CALL(sendmsg), notify, serve_sendmsg},  // address and descriptors are in memory
    {CALL(sendmmsg), notify, serve_sendmmsg},
    {CALL(listen), notify, serve_listen},
    {CALL(accept), allow},
    {CALL(accept4), allow},
    {CALL(recvfrom), allow},
    {CALL(recvmsg), allow},
    {CALL(recvmmsg), allow},
    {CALL(shutdown), allow},
    {CALL(getsockname), allow},
    {CALL(getpeername), allow},
    {CALL(getsockopt), allow},
    {CALL(setsockopt), socket_option, serve_setsockopt},

    // --- Processes: start and end. ---
    {CALL(execve), execution, serve_execve},
    {CALL(execveat), execution, serve_execveat},
    {CALL(exit_group), exit_status, serve_exit_group},
    {CALL(exit), allow},
    {CALL(clone), clone_flags, serve_refused_call, 0, "make a namespace"},
    {CALL(clone3), absent},  // its flags are in memory; callers fall back to clone
    {CALL(unshare), unshare_flags, serve_refused_call, 0, "make a namespace"},
    REFUSED(setns, "enter a namespace"),
    {CALL(wait4), allow},
    {CALL(waitid), allow},
    {CALL(prctl), prctl_option},
    {CALL(set_tid_address), allow},
    {CALL(pidfd_open), allow},  // what a pidfd does to others is decided at its use
#ifdef __x86_64__
    {CALL(fork), allow},
    {CALL(vfork), allow},
    {CALL(arch_prctl), allow},
    {CALL(uretprobe), allow},  // made by the kernel's own trampolines in a probed program
    {CALL(uprobe), allow},
    {CALL(modify_ldt), allow},  // 16-bit code of the process itself
#endif

    // --- Signals. ---
    {CALL(kill), notify, serve_kill},
    {CALL(tkill), notify, serve_tkill},
    {CALL(tgkill), notify, serve_tgkill},
    {CALL(rt_sigqueueinfo), notify, serve_rt_sigqueueinfo},
    {CALL(rt_tgsigqueueinfo), notify, serve_rt_tgsigqueueinfo},
    {CALL(pidfd_send_signal), notify, serve_pidfd_send_signal},
    {CALL(rt_sigaction), allow},
    {CALL(rt_sigprocmask), allow},
    {CALL(rt_sigreturn), allow},
    {CALL(rt_sigpending), allow},
    {CALL(rt_sigtimedwait), allow},
    {CALL(rt_sigsuspend), allow},
    {CALL(sigaltstack), allow},
    {CALL(restart_syscall), allow},
#ifdef __x86_64__
    {CALL(pause), allow},
    {CALL(alarm), allow},
#endif

    // --- Acting on a process that is named by pid (0 is the caller itself) or by pidfd. ---
    {CALL(ptrace), ptrace_request, serve_ptrace, 1, "trace"},
    {CALL(process_vm_readv), nonzero, serve_process_target, 0, "read the memory of"},
    {CALL(process_vm_writev), nonzero, serve_process_target, 0, "write to the memory of"},
    {CALL(process_madvise), notify, serve_pidfd_target, 0, "change the memory of"},
    {CALL(process_mrelease), notify, serve_pidfd_target, 0, "release the memory of"},
    {CALL(pidfd_getfd), notify, serve_pidfd_target, 0, "take a descriptor of"},
    {CALL(kcmp), notify, serve_process_target, 0, "look into"},  // and argument 1
    {CALL(get_robust_list), nonzero, serve_process_target, 0, "look into"},
    {CALL(prlimit64), nonzero, serve_process_target, 0, "change the limits of"},
    {CALL(sched_setscheduler), nonzero, serve_process_target, 0, "change the scheduling of"},
    {CALL(sched_setparam), nonzero, serve_process_target, 0, "change the scheduling of"},
    {CALL(sched_setattr), nonzero, serve_process_target, 0, "change the scheduling of"},
    {CALL(sched_setaffinity), nonzero, serve_process_target, 0, "change the scheduling of"},
    {CALL(migrate_pages), nonzero, serve_process_target, 0, "move the memory of"},
    {CALL(move_pages), nonzero, serve_process_target, 0, "move the memory of"},
    {CALL(setpriority), notify, serve_priority_target, 1, "change the priority of"},  // 0 may also mean all processes of a user
    {CALL(ioprio_set), notify, serve_priority_target, 1, "change the priority of"},
    {CALL(sched_getscheduler), allow},
    {CALL(sched_getparam), allow},
    {CALL(sched_getattr), allow},
    {CALL(sched_getaffinity), allow},
    {CALL(sched_get_priority_max), allow},
    {CALL(sched_get_priority_min), allow},
    {CALL(sched_rr_get_interval), allow},
    {CALL(sched_yield), allow},
    {CALL(getpriority), allow},
    {CALL(ioprio_get), allow},
    {CALL(setpgid), allow},  // reaches the caller and its children only
    {CALL(setsid), allow},
    {CALL(getpgid), allow},
    {CALL(getsid), allow},
    {CALL(getpid), allow},
    {CALL(getppid), allow},
    {CALL(gettid), allow},
    {CALL(getcpu), allow},
    {CALL(getrlimit), allow},
    {CALL(setrlimit), allow},
    {CALL(getrusage), allow},
    {CALL(times), allow},
#ifdef __x86_64__
    {CALL(getpgrp), allow},
#endif

    // --- Identity: the kernel decides; the broker takes it on from then on. ---
    {CALL(setuid), notify, serve_change_identity},
    {CALL(setgid), notify, serve_change_identity},
    {CALL(setreuid), notify, serve_change_identity},
    {CALL(setregid), notify, serve_change_identity},
    {CALL(setresuid), notify, serve_change_identity},
    {CALL(setresgid), notify, serve_change_identity},
    {CALL(setfsuid), notify, serve_change_identity},
    {CALL(setfsgid), notify, serve_change_identity},
    {CALL(setgroups), notify, serve_change_identity},
    {CALL(capset), notify, serve_change_identity},
    {CALL(umask), notify, serve_umask},
    {CALL(capget), allow},
    {CALL(getuid), allow},
    {CALL(geteuid), allow},
    {CALL(getgid), allow},
    {CALL(getegid), allow},
    {CALL(getresuid), allow},
    {CALL(getresgid), allow},
    {CALL(getgroups), allow},
    {CALL(personality), allow},
    {CALL(seccomp), allow},  // an inner filter only narrows
    {CALL(landlock_create_ruleset), allow},
    {CALL(landlock_add_rule), allow},
    {CALL(landlock_restrict_self), allow},
    {CALL(lsm_get_self_attr), allow},
    {CALL(lsm_set_self_attr), allow},  // no_new_privs lets it narrow only
    {CALL(lsm_list_modules), allow},

    // --- Memory and threads of the caller itself. ---
    {CALL(mmap), allow},
    {CALL(munmap), allow},
    {CALL(mremap), allow},
    {CALL(mprotect), allow},
    {CALL(brk), allow},
    {CALL(madvise), allow},
    {CALL(msync), allow},
    {CALL(mincore), allow},
    {CALL(mlock), allow},
    {CALL(mlock2), allow},
    {CALL(munlock), allow},
    {CALL(mlockall), allow},
    {CALL(munlockall), allow},
    {CALL(mseal), allow},
    {CALL(map_shadow_stack), allow},
    {CALL(remap_file_pages), allow},
    {CALL(pkey_alloc), allow},
    {CALL(pkey_free), allow},
    {CALL(pkey_mprotect), allow},
    {CALL(mbind), allow},
    {CALL(get_mempolicy), allow},
    {CALL(set_mempolicy), allow},
    {CALL(set_mempolicy_home_node), allow},
    {CALL(membarrier), allow},
    {CALL(rseq), allow},
    {CALL(set_robust_list), allow},
    {CALL(futex), allow},
    {CALL(futex_waitv), allow},
    {CALL(futex_wake), allow},
    {CALL(futex_wait), allow},
    {CALL(futex_requeue), allow},

    // --- Time. ---
    {CALL(gettimeofday), allow},
    {CALL(clock_gettime), allow},
    {CALL(clock_getres), allow},
    {CALL(clock_nanosleep), allow},
    {CALL(nanosleep), allow},
    {CALL(getitimer), allow},
    {CALL(setitimer), allow},
    {CALL(timer_create), allow},
    {CALL(timer_settime), allow},
    {CALL(timer_gettime), allow},
    {CALL(timer_getoverrun), allow},
    {CALL(timer_delete), allow},
    {CALL(adjtimex), allow},       // reads; a change needs CAP_SYS_TIME, which is dropped
    {CALL(clock_adjtime), allow},  // the same
#ifdef __x86_64__
    {CALL(time), allow},
#endif

    // --- System V and POSIX IPC: only what was made inside. ---
    {CALL(shmget), notify, serve_ipc_get},
    {CALL(semget), notify, serve_ipc_get},
    {CALL(msgget), notify, serve_ipc_get},
    {CALL(shmat), notify, serve_ipc_use},
    {CALL(shmctl), notify, serve_ipc_use},
    {CALL(semop), notify, serve_ipc_use},
    {CALL(semtimedop), notify, serve_ipc_use},
    {CALL(semctl), notify, serve_ipc_use},
    {CALL(msgsnd), notify, serve_ipc_use},
    {CALL(msgrcv), notify, serve_ipc_use},
    {CALL(msgctl), notify, serve_ipc_use},
    {CALL(shmdt), allow},
    {CALL(mq_open), notify, serve_mq_open},
    {CALL(mq_unlink), notify, serve_mq_unlink},
    {CALL(mq_timedsend), allow},  // on a descriptor that mq_open gave
    {CALL(mq_timedreceive), allow},
    {CALL(mq_notify), allow},
    {CALL(mq_getsetattr), allow},

    // --- The system: facts. ---
    {CALL(uname), allow},
    {CALL(sysinfo), allow},
    {CALL(getrandom), allow},
    {CALL(syslog), allow},  // reads; changing the log needs CAP_SYSLOG, which is dropped

    // --- Always refused: they reach past the sandbox. ---
    REFUSED(mount, "mount a file system"),
    REFUSED(umount2, "unmount a file system"),
    REFUSED(pivot_root, "change the root directory"),
    REFUSED(chroot, "change the root directory"),
    REFUSED(move_mount, "mount a file system"),
    REFUSED(open_tree, "mount a file system"),
    REFUSED(open_tree_attr, "mount a file system"),
    REFUSED(fsopen, "mount a file system"),
    REFUSED(fsconfig, "mount a file system"),
    REFUSED(fsmount, "mount a file system"),
    REFUSED(fspick, "mount a file system"),
    REFUSED(mount_setattr, "change a mount"),
    REFUSED(swapon, "change the swap space"),
    REFUSED(swapoff, "change the swap space"),
    REFUSED(quotactl, "use disk quotas"),
    REFUSED(quotactl_fd, "use disk quotas"),
    REFUSED(acct, "switch process accounting"),
    REFUSED(reboot, "restart the machine"),
    REFUSED(sethostname, "change the host name"),
    REFUSED(setdomainname, "change the host name"),
    REFUSED(settimeofday, "set the clock"),
    REFUSED(clock_settime, "set the clock"),
    REFUSED(init_module, "load a kernel module"),
    REFUSED(finit_module, "load a kernel module"),
    REFUSED(delete_module, "unload a kernel module"),
    REFUSED(kexec_load, "load another kernel"),
    REFUSED(kexec_file_load, "load another kernel"),
    REFUSED(bpf, "use BPF"),
    REFUSED(perf_event_open, "use performance events"),
    REFUSED(userfaultfd, "handle page faults"),
    REFUSED(add_key, "use the kernel's keyrings"),
    REFUSED(request_key, "use the kernel's keyrings"),
    REFUSED(keyctl, "use the kernel's keyrings"),
    REFUSED(fanotify_init, "watch file systems"),
    REFUSED(fanotify_mark, "watch file systems"),
    REFUSED(vhangup, "hang up the terminal"),
#ifdef __x86_64__
    REFUSED(iopl, "use input/output ports"),
    REFUSED(ioperm, "use input/output ports"),
#endif

    // --- As on a kernel without them. io_uring acts on paths and addresses past any filter; node probes it at each
    // start and goes on without, so a record of it would be noise in each report. The others are gone or never were. ---
    {CALL(io_uring_setup), absent},
    {CALL(io_uring_enter), absent},
    {CALL(io_uring_register), absent},
    {CALL(lookup_dcookie), absent},
    {CALL(nfsservctl), absent},
#ifdef __x86_64__
    {CALL(uselib), absent},
    {CALL(_sysctl), absent},
    {CALL(create_module), absent},
    {CALL(get_kernel_syms), absent},
    {CALL(query_module), absent},
    {CALL(getpmsg), absent},
    {CALL(putpmsg), absent},
    {CALL(afs_syscall), absent},
    {CALL(tuxcall), absent},
    {CALL(security), absent},
    {CALL(vserver), absent},
    {CALL(set_thread_area), absent},
    {CALL(get_thread_area), absent},
    {CALL(epoll_ctl_old), absent},
    {CALL(epoll_wait_old), absent},
#endif
};
// clang-format on

#undef REFUSED
#undef CALL

constexpr std::size_t row_count = std::size(rows_by_family);

constexpr std::array<SyscallRow, row_count> sorted_rows() {
    std::array<SyscallRow, row_count> rows{};
    std::copy(std::begin(rows_by_family), std::end(rows_by_family), rows.begin());
    std::sort(rows.begin(), rows.end(),
              [](const SyscallRow& a, const SyscallRow& b) { return a.number < b.number; });
    return rows;
}

constexpr std::array<SyscallRow, row_count> rows = sorted_rows();

constexpr bool numbers_are_unique() {
    for (std::size_t i = 1; i < row_count; ++i)
        if (rows[i - 1].number == rows[i].number) return false;
    return true;
}
static_assert(numbers_are_unique());

/// The row of each number, so that a lookup is one load.
constexpr int number_limit = rows.back().number + 1;
constexpr SyscallRow unknown_row = {-1, "unknown", absent};

/// Numbers mean other calls there, so that no row of the table fits.
constexpr SyscallRow foreign_row = {-1, "a 32-bit program's entry", notify, serve_refused_call,
                                    0,  "make system calls"};

constexpr std::array<const SyscallRow*, number_limit> rows_by_number() {
    std::array<const SyscallRow*, number_limit> index{};
    index.fill(&unknown_row);
    for (const SyscallRow& row : rows) index[row.number] = &row;
    return index;
}

constexpr std::array<const SyscallRow*, number_limit> index_by_number = rows_by_number();

}  // namespace

const SyscallRow& syscall_row(int number) {
    if (number < 0 || number >= number_limit) return unknown_row;
    return *index_by_number[number];
}

const SyscallRow& foreign_architecture_row() {
    return foreign_row;
}

#ifdef __x86_64__
const std::uint32_t native_architecture = AUDIT_ARCH_X86_64;
#else
const std::uint32_t native_architecture = AUDIT_ARCH_AARCH64;
#endif

SyscallTable syscall_table() {
    return {rows.data(), rows.data() + rows.size()};
}

}  // namespace linux_backend
