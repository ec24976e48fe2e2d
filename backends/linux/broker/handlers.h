// The functions that serve notified calls, one per row of the table (or one for a family).
#pragma once

#include "linux/broker/notification.h"

namespace linux_backend {

class Call;

// open.cpp
Answer serve_open(const Call& call);
Answer serve_openat(const Call& call);
Answer serve_openat2(const Call& call);
Answer serve_creat(const Call& call);

// names.cpp
Answer serve_mkdir(const Call& call);
Answer serve_mkdirat(const Call& call);
Answer serve_rmdir(const Call& call);
Answer serve_unlink(const Call& call);
Answer serve_unlinkat(const Call& call);
Answer serve_rename(const Call& call);
Answer serve_renameat(const Call& call);
Answer serve_renameat2(const Call& call);
Answer serve_link(const Call& call);
Answer serve_linkat(const Call& call);
Answer serve_symlink(const Call& call);
Answer serve_symlinkat(const Call& call);
Answer serve_mknod(const Call& call);
Answer serve_mknodat(const Call& call);

// metadata.cpp
Answer serve_chmod(const Call& call);
Answer serve_fchmod(const Call& call);
Answer serve_fchmodat(const Call& call);
Answer serve_fchmodat2(const Call& call);
Answer serve_chown(const Call& call);
Answer serve_lchown(const Call& call);
Answer serve_fchown(const Call& call);
Answer serve_fchownat(const Call& call);
Answer serve_utime(const Call& call);
Answer serve_utimes(const Call& call);
Answer serve_futimesat(const Call& call);
Answer serve_utimensat(const Call& call);
Answer serve_setxattr(const Call& call);
Answer serve_lsetxattr(const Call& call);
Answer serve_fsetxattr(const Call& call);
Answer serve_setxattrat(const Call& call);
Answer serve_removexattr(const Call& call);
Answer serve_lremovexattr(const Call& call);
Answer serve_fremovexattr(const Call& call);
Answer serve_removexattrat(const Call& call);
Answer serve_truncate(const Call& call);
Answer serve_ioctl(const Call& call);
Answer serve_file_setattr(const Call& call);

// socket.cpp, send.cpp
Answer serve_socket(const Call& call);
Answer serve_socketpair(const Call& call);
Answer serve_connect(const Call& call);
Answer serve_bind(const Call& call);
Answer serve_listen(
    const Call& call);  ///< A TCP socket that is not bound would be bound to all addresses.
Answer serve_setsockopt(
    const Call& call);  ///< Refuses; for the options that send packets elsewhere than addressed.
Answer serve_sendto(const Call& call);
Answer serve_sendmsg(const Call& call);
Answer serve_sendmmsg(const Call& call);

// process.cpp
Answer serve_execve(const Call& call);
Answer serve_execveat(const Call& call);
Answer serve_exit_group(const Call& call);
Answer serve_umask(const Call& call);
Answer serve_change_identity(const Call& call);
Answer serve_kill(const Call& call);
Answer serve_tkill(const Call& call);
Answer serve_tgkill(const Call& call);
Answer serve_rt_sigqueueinfo(const Call& call);
Answer serve_rt_tgsigqueueinfo(const Call& call);
Answer serve_pidfd_send_signal(const Call& call);
Answer serve_process_target(const Call& call);  ///< Acts on the process in argument row().argument.
Answer serve_priority_target(const Call& call);  ///< setpriority, ioprio_set: (which, who).
Answer serve_pidfd_target(const Call& call);     ///< Acts on the pidfd in argument row().argument.
Answer serve_ptrace(const Call& call);

// ipc.cpp
Answer serve_ipc_get(const Call& call);  ///< shmget, semget, msgget.
Answer serve_ipc_use(const Call& call);  ///< Acts on the id in argument 0.
Answer serve_mq_open(const Call& call);
Answer serve_mq_unlink(const Call& call);

// refuse.cpp
Answer serve_refused_call(const Call& call);  ///< Always refused and reported as row().operation.

}  // namespace linux_backend
