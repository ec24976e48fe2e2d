// Which process a pidfd stands for.
#pragma once

#include <sys/types.h>

#include "linux/broker/caller.h"
#include "os/fd.h"

namespace linux_backend {

class Call;

/// The process or thread that `pidfd`, a duplicate of the caller's descriptor, stands for: a pidfd,
/// or a directory /proc/<pid>, which pidfd_send_signal(2) takes too. EBADF when it is neither,
/// ESRCH when the process is gone. Source: proc(5), /proc/<pid>/fdinfo.
OrErrno<pid_t> pidfd_process(const Call& call, const os::Fd& pidfd);

}  // namespace linux_backend
