// Which processes inside have a socket open.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "linux/broker/membership.h"
#include "os/fd.h"

namespace linux_backend {

/// A socket as a process has it open.
struct HeldSocket {
    std::uint64_t inode = 0;
    pid_t process = 0;
    int descriptor = -1;
};

/// For those of `inodes` that a process inside this sandbox, or inside another one of the
/// workspace, has open, one such process. Not for those that are on their way between processes.
/// Looks at every process: takes milliseconds.
std::vector<HeldSocket> held_inside(const Members& members,
                                    const std::vector<std::uint64_t>& inodes);

/// Gets listening sockets of programs inside, so that they cannot be closed for a while.
/// Thread-safe.
class Listeners {
  public:
    explicit Listeners(const Members& members) : members_(members) {}

    /// The socket listens: it will be looked for there first.
    void remember(const HeldSocket& socket);

    /// A duplicate of one of `inodes`; empty when none is open, or the kernel does not let us have
    /// it: that of another sandbox of the workspace, where only ancestors may look into a process.
    os::Fd keep(const std::vector<std::uint64_t>& inodes);

  private:
    HeldSocket recall(std::uint64_t inode);

    const Members& members_;
    std::mutex lock_;
    std::unordered_map<std::uint64_t, HeldSocket> known_;
};

}  // namespace linux_backend
