// From how we were called to the plan: all that is decided before anything is started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "launch/environment.h"
#include "launch/invocation.h"
#include "launch/plan.h"
#include "launch/surroundings.h"

namespace launch {

/// The policy in force here, and what was found on the way to it.
struct LoadedPolicy {
    policy::Policy policy;
    Scene scene;
    std::vector<std::string> files;  ///< Policy files that were read, in order of level.
    std::string
        fingerprint;  ///< 16 hex digits that change with the policy files and the variables.
};

/// Reads the policy files (the admin's, the user's {config}/sbxsh/policy.toml, the workspace's
/// .sbxsh.toml, the invocation's) and merges them. An absent file is fine, but for the
/// invocation's; one that is unreadable, no regular file, or larger than 1 MiB is an Error.
core::Result<LoadedPolicy> load_policy(const Options& options, const Environment& environment,
                                       const SystemPaths& paths = {});

/// A plan, and what the caller may have to tell about it.
struct Prepared {
    explicit Prepared(policy::Policy policy) : plan{.policy = std::move(policy)} {}

    Plan plan;
    ShellUse use;         ///< What the interpreter will do, advisory.
    std::string current;  ///< Canonical current directory; empty when it cannot be found.
    Diagnostics diagnostics = Diagnostics::text;
    int diagnostics_descriptor = -1;
    std::vector<std::string> removed_variables;  ///< Names taken out of the environment.
    std::vector<std::string> remarks;            ///< To be shown beside a refusal, not without one.
    std::optional<core::Error>
        state_problem;  ///< Why plan.state is empty; to be said once, whatever happens.
};

/// Decides everything. An Error means that nothing may run: it has a remedy, and status 125 is
/// right for it.
core::Result<Prepared> prepare(const Invocation& invocation, const Environment& environment,
                               const SystemPaths& paths = {});

}  // namespace launch
