// The capabilities that nothing inside has, not even root.
// Source: capabilities(7).
#pragma once

namespace linux_backend {

/// Whether the dropped set keeps CAP_SYS_PTRACE, which the broker needs to read its callers'
/// memory.
enum class Tracing { drop, keep };

/// Takes away, for good, every capability that reaches beyond a process's own files and identity:
/// from the bounding, effective, permitted, inheritable and ambient sets of the calling thread.
/// Callable after fork. Returns 0 or an errno.
int drop_capabilities(Tracing tracing);

}  // namespace linux_backend
