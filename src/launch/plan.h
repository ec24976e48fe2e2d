// Everything that is decided before anything is started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policy/load.h"
#include "policy/policy.h"

namespace launch {

/// The command to start, and the policy to start it under. Built by `launch`, executed by a Backend.
struct Plan {
    std::string interpreter;               ///< Absolute path of the real shell.
    std::vector<std::string> arguments;    ///< Its argv, argv[0] included, byte for byte as the caller gave it.
    std::vector<std::string> environment;  ///< "NAME=value", scrubbed.
    policy::Policy policy;
    policy::Variables variables;
    /// Our state directory (audit log, registry of sockets made inside); empty when it cannot be used.
    std::string state;
};

}  // namespace launch
