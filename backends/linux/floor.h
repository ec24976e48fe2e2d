// The floor: what the kernel grants by itself, as a Landlock ruleset. Everything else goes through
// the broker. Source: landlock(7), Documentation/userspace-api/landlock.rst.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "os/fd.h"
#include "policy/policy.h"
#include "policy/tree.h"

namespace linux_backend {

/// What the kernel's Landlock can do. ABI 0: none.
struct LandlockFeatures {
    int abi = 0;
    bool scopes_signals() const { return abi >= 6; }
};
LandlockFeatures probe_landlock();

/// A ruleset ready to be put in force.
struct Floor {
    os::Fd ruleset;
    LandlockFeatures features;
    /// The read mode that the filter must have: observed also when the tree above refused paths is
    /// too wide to be granted name by name.
    policy::ReadMode read_mode = policy::ReadMode::fixed;
    /// Some directory that holds refused names can itself be listed, so that the broker has to open
    /// it.
    bool notify_directories = false;
    std::size_t rules = 0;  ///< Number of rules added.
};

/// Builds the floor for `policy`: reading and running trees in which nothing is refused, the
/// harmless devices, and `terminals`, O_PATH descriptors of those that the caller handed over. It
/// never grants writing, making or removing anything. An Error when Landlock is missing.
core::Result<Floor> build_floor(const policy::Policy& policy, const policy::Tree& tree,
                                const std::vector<os::Fd>& terminals);

/// Whether every floor lets the device at `path` be opened, unless the policy refuses it.
bool is_floor_device(std::string_view path);

/// Puts a floor's ruleset in force on the calling thread. Callable after fork. Needs no_new_privs.
/// Returns 0 or an errno.
int enforce_floor(int ruleset);

}  // namespace linux_backend
