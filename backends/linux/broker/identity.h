// Acting with the rights of the caller: umask, ids, groups and capabilities of a thread of the
// broker.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "linux/broker/caller.h"

namespace linux_backend {

/// What decides about file access, as in /proc/<tid>/status; see credentials(7), capabilities(7).
struct Identity {
    uid_t user = 0;   ///< File-system uid.
    gid_t group = 0;  ///< File-system gid.
    std::vector<gid_t> groups;
    std::uint64_t capabilities = 0;  ///< Effective.
    mode_t umask = 0;
    friend bool operator==(const Identity&, const Identity&) = default;
};

/// Of the thread `thread`. ESRCH when it is gone, ENOTSUP when the kernel does not say (Umask since
/// Linux 4.7).
OrErrno<Identity> read_identity(pid_t thread);

/// Prepares this thread to change its identity alone: own umask and working directory
/// (unshare(CLONE_FS)), and remembers what it is now. Call once at the start of each thread of the
/// broker.
void prepare_thread_identity(mode_t umask);

/// Makes this thread act as `identity`. The capability to look into other processes is kept: it
/// opens no file.
OrErrno<void> assume(const Identity& identity);

/// Undoes `assume`; nothing to do is cheap.
void restore_own_identity();

}  // namespace linux_backend
