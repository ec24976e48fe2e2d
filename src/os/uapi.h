// Kernel interface constants that the headers of Debian 12 (Linux 6.1) lack, each with the kernel
// version it came with. Source: the kernel's include/uapi; numbers from 424 on are the same on
// x86_64 and aarch64.
#pragma once

#include <asm/unistd.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <linux/types.h>
#include <sys/ioctl.h>

// --- System call numbers ---

#ifndef __NR_memfd_secret
#define __NR_memfd_secret 447  // 5.14; later on some architectures
#endif
#ifndef __NR_cachestat
#define __NR_cachestat 451  // 6.5
#endif
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452  // 6.6
#endif
#ifndef __NR_map_shadow_stack
#define __NR_map_shadow_stack 453  // 6.6
#endif
#ifndef __NR_futex_wake
#define __NR_futex_wake 454  // 6.7
#endif
#ifndef __NR_futex_wait
#define __NR_futex_wait 455  // 6.7
#endif
#ifndef __NR_futex_requeue
#define __NR_futex_requeue 456  // 6.7
#endif
#ifndef __NR_statmount
#define __NR_statmount 457  // 6.8
#endif
#ifndef __NR_listmount
#define __NR_listmount 458  // 6.8
#endif
#ifndef __NR_lsm_get_self_attr
#define __NR_lsm_get_self_attr 459  // 6.8
#endif
#ifndef __NR_lsm_set_self_attr
#define __NR_lsm_set_self_attr 460  // 6.8
#endif
#ifndef __NR_lsm_list_modules
#define __NR_lsm_list_modules 461  // 6.8
#endif
#ifndef __NR_mseal
#define __NR_mseal 462  // 6.10
#endif
#ifndef __NR_setxattrat
#define __NR_setxattrat 463  // 6.13
#endif
#ifndef __NR_getxattrat
#define __NR_getxattrat 464  // 6.13
#endif
#ifndef __NR_listxattrat
#define __NR_listxattrat 465  // 6.13
#endif
#ifndef __NR_removexattrat
#define __NR_removexattrat 466  // 6.13
#endif
#ifndef __NR_open_tree_attr
#define __NR_open_tree_attr 467  // 6.15
#endif
#ifndef __NR_file_getattr
#define __NR_file_getattr 468  // 6.17
#endif
#ifndef __NR_file_setattr
#define __NR_file_setattr 469  // 6.17
#endif
#ifndef __NR_listns
#define __NR_listns 470  // 6.19
#endif
#ifdef __x86_64__
#ifndef __NR_uretprobe
#define __NR_uretprobe 335  // 6.11
#endif
#ifndef __NR_uprobe
#define __NR_uprobe 336  // 6.18
#endif
#endif

// --- Landlock ---

#ifndef LANDLOCK_CREATE_RULESET_ERRATA
#define LANDLOCK_CREATE_RULESET_ERRATA (1U << 1)  // 6.15
#endif
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)  // 5.19, ABI 2
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)  // 6.2, ABI 3
#endif
#ifndef LANDLOCK_ACCESS_FS_IOCTL_DEV
#define LANDLOCK_ACCESS_FS_IOCTL_DEV (1ULL << 15)  // 6.10, ABI 5
#endif
#ifndef LANDLOCK_ACCESS_NET_BIND_TCP
#define LANDLOCK_ACCESS_NET_BIND_TCP (1ULL << 0)  // 6.7, ABI 4
#endif
#ifndef LANDLOCK_ACCESS_NET_CONNECT_TCP
#define LANDLOCK_ACCESS_NET_CONNECT_TCP (1ULL << 1)  // 6.7, ABI 4
#endif
#ifndef LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)  // 6.12, ABI 6
#endif
#ifndef LANDLOCK_SCOPE_SIGNAL
#define LANDLOCK_SCOPE_SIGNAL (1ULL << 1)  // 6.12, ABI 6
#endif
#ifndef LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF
#define LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF (1U << 0)  // 6.15, ABI 7
#endif
#ifndef LANDLOCK_RESTRICT_SELF_LOG_NEW_EXEC_ON
#define LANDLOCK_RESTRICT_SELF_LOG_NEW_EXEC_ON (1U << 1)  // 6.15, ABI 7
#endif
#ifndef LANDLOCK_RESTRICT_SELF_LOG_SUBDOMAINS_OFF
#define LANDLOCK_RESTRICT_SELF_LOG_SUBDOMAINS_OFF (1U << 2)  // 6.15, ABI 7
#endif

namespace os {

/// struct landlock_ruleset_attr as of ABI 6. Older kernels take a prefix of it: pass
/// `landlock_ruleset_size(abi)`.
struct LandlockRuleset {
    __u64 handled_access_fs;
    __u64 handled_access_net;  // 6.7, ABI 4
    __u64 scoped;              // 6.12, ABI 6
};

/// How many bytes of LandlockRuleset a kernel with that ABI knows.
constexpr unsigned long landlock_ruleset_size(int abi) {
    return abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
}

/// struct landlock_path_beneath_attr; packed in the kernel's header too.
struct __attribute__((packed)) LandlockPath {
    __u64 allowed_access;
    __s32 parent_fd;
};

/// struct landlock_net_port_attr. 6.7, ABI 4.
struct LandlockPort {
    __u64 allowed_access;
    __u64 port;
};

/// enum landlock_rule_type.
constexpr int landlock_rule_path_beneath = 1;
constexpr int landlock_rule_net_port = 2;  // 6.7, ABI 4

/// struct file_attr of file_getattr(2) and file_setattr(2). 6.17.
struct FileAttr {
    __u64 fa_xflags;
    __u32 fa_extsize;
    __u32 fa_nextents;
    __u32 fa_projid;
    __u32 fa_cowextsize;
};

/// struct xattr_args of setxattrat(2) and getxattrat(2). 6.13.
struct XattrArgs {
    __u64 value;
    __u32 size;
    __u32 flags;
};

}  // namespace os

// --- seccomp ---

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)  // 5.19
#endif
#ifndef SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)  // 6.6
#endif
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)  // 6.6
#endif

// --- pidfd ---

#ifndef PIDFD_THREAD
#define PIDFD_THREAD 0200 /* O_EXCL */  // 6.9
#endif
#ifndef PIDFD_SIGNAL_THREAD
#define PIDFD_SIGNAL_THREAD (1UL << 0)  // 6.9
#endif
#ifndef PIDFD_SIGNAL_THREAD_GROUP
#define PIDFD_SIGNAL_THREAD_GROUP (1UL << 1)  // 6.9
#endif
#ifndef PIDFD_SIGNAL_PROCESS_GROUP
#define PIDFD_SIGNAL_PROCESS_GROUP (1UL << 2)  // 6.9
#endif
#ifndef PIDFD_SELF_THREAD
#define PIDFD_SELF_THREAD (-10000)        // 6.14
#define PIDFD_SELF_THREAD_GROUP (-10001)  // 6.14
#endif

namespace os {

/// The first version of struct pidfd_info. 6.13.
struct PidfdInfo {
    __u64 mask;
    __u64 cgroupid;
    __u32 pid, tgid, ppid;
    __u32 ruid, rgid, euid, egid, suid, sgid, fsuid, fsgid;
    __s32 exit_code;
};

}  // namespace os

#ifndef PIDFD_INFO_PID
#define PIDFD_INFO_PID (1UL << 0)  // 6.13
#endif
#ifndef PIDFD_GET_INFO
#define PIDFD_GET_INFO _IOWR(0xFF, 11, os::PidfdInfo)  // 6.13
#endif
