// Terminals that may be opened by their name: those that the command was started with, and those
// that were made inside.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "os/fd.h"
#include "policy/policy.h"

namespace linux_backend {

/// Numbers and inodes of terminals are given anew when one is gone, so it holds the nodes
/// themselves, as O_PATH descriptors: a node that is still linked is the one that has the name.
/// Thread-safe.
class Terminals {
  public:
    enum class Origin : std::uint8_t { outside, inherited, inside };

    /// Those of the start; before anything is served.
    void inherit(std::vector<os::Fd> objects);
    /// The other end of `master`, which was just opened for a caller.
    void add_other_end(const os::Fd& master);

    /// Whose the node is that the O_PATH descriptor `object` names.
    Origin of(const os::Fd& object) const;
    /// Whether the refusal `decision` does not mean `object`, a terminal of our own.
    bool pass(const policy::Decision& decision, const os::Fd& object) const;
    /// An O_PATH descriptor of the one with the device number `device`; empty when none is known.
    os::Fd find(dev_t device) const;

  private:
    struct Known {
        os::Fd object;
        Origin origin;
    };

    mutable std::mutex lock_;
    std::vector<Known> known_;
};

/// Whether `decision` lets a terminal be opened that is not outside: the built-in rules speak of
/// those of others only.
bool lets_own_terminal(const policy::Decision& decision);

}  // namespace linux_backend
