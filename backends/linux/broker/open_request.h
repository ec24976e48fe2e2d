// One open(2), openat(2), openat2(2) or creat(2) being served: what its parts share.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "linux/broker/call.h"
#include "linux/broker/notification.h"
#include "linux/broker/resolve.h"

namespace linux_backend {

/// The arguments of an open, whichever call they came by.
struct OpenRequest {
    int directory = AT_FDCWD;
    std::string path;
    std::uint64_t flags = 0;
    std::uint64_t mode = 0;
    std::uint64_t resolve = 0;
    bool is_loop = false;  ///< The kernel found too many links on the way.

    bool has(std::uint64_t flag) const { return (flags & flag) == flag; }
    bool reads() const { return (flags & O_ACCMODE) != O_WRONLY; }
    bool writes() const { return (flags & O_ACCMODE) != O_RDONLY || has(O_TRUNC); }
    /// What the broker itself passes when it opens the very object that was decided on.
    int reopen_flags() const {
        constexpr std::uint64_t settled = O_CREAT | O_EXCL | O_NOFOLLOW;
        return static_cast<int>((flags & ~settled) | O_CLOEXEC | O_NOCTTY);
    }
};

/// Hands over a descriptor that was opened, or the errno when it is negative.
Answer install(const OpenRequest& request, int fd);

/// Opens the very object that was decided on, with the caller's flags.
Answer reopen(const OpenRequest& request, const os::Fd& object);

/// The same for a FIFO or a device of `mode`, which may wait for the other end.
Answer open_waiting(const Call& call, const OpenRequest& request, os::Fd object, mode_t mode);

/// Whether an open may be left to the kernel, which reads the path anew, and openat2's flags: the
/// floor has to refuse whatever it could become. Landlock knows truncation since its third version.
bool may_proceed(const Call& call);

/// Opens what lies in procfs.
Answer open_in_proc(const Call& call, const OpenRequest& request, const Target& target);

/// Opens a device, terminals included.
Answer open_device(const Call& call, const OpenRequest& request, Target target);

}  // namespace linux_backend
