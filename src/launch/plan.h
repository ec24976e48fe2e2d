// Everything that is decided before anything is started.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "policy/load.h"
#include "policy/policy.h"
#include "report/denial.h"

namespace launch {

/// The command to start, and the policy to start it under. Built by `launch`, executed by a
/// Backend.
struct Plan {
    std::string interpreter = {};  ///< Absolute path of the real shell.
    std::vector<std::string> arguments =
        {};  ///< Its argv, argv[0] included, byte for byte as the caller gave it.
    std::vector<std::string> environment = {};  ///< "NAME=value", scrubbed.
    policy::Policy policy;
    policy::Variables variables = {};
    /// Called with each new refusal, in the process that decides (not this one) and on any of its
    /// threads; may be empty.
    std::function<void(const report::Denial&)> on_denial = {};
    /// Descriptors that this process itself still needs while the command runs: standard error and
    /// the one for reports.
    std::vector<int> keep = {2};
    /// Our state directory (audit log, registry of sockets made inside); empty when it cannot be
    /// used.
    std::string state = {};
    std::string fingerprint =
        {};  ///< 16 hex digits that change with the policy files and the variables.
};

}  // namespace launch
