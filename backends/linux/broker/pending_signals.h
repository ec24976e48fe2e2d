// Signals that wait for a caller while its call is served.
// Source: proc_pid_status(5), signal(7) "Interruption of system calls".
#pragma once

#include <sys/types.h>

namespace linux_backend {

/// What a system call returns inside the kernel to be run again after a signal handler that asked
/// for it (SA_RESTART), and to fail with EINTR otherwise. Only for a thread that has a signal to
/// take.
constexpr int restart_error = 512;  // ERESTARTSYS

/// Whether `thread` has a signal to handle or to stop for, which natively would have interrupted
/// its call. A call that is being served is woken by fatal signals only.
bool has_signal_to_take(pid_t thread);

}  // namespace linux_backend
