// The decision on one access, with its reasons, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "policy/policy.h"

namespace ctl {

/// The decision on one access. Pointers live as long as the Policy.
struct Verdict {
    policy::Access access = policy::Access::read;
    std::string object;  ///< As the policy knows it: a canonical path, an end point, a socket;
                         ///< empty where there is none.
    policy::Decision decision;
    std::vector<policy::Considered> considered;
};

/// The access called `name`, or by a word such as "list" or "delete" that needs it; an Error with a
/// remedy for other names.
core::Result<policy::Access> access_named(std::string_view name);

/// Whether an access is to a file.
bool is_about_files(policy::Access access);

/// Judges `object` as a caller would write it: a path relative to `current`, "ADDRESS:PORT[/udp]",
/// a socket. An Error, with a remedy, when it is no object for the access.
core::Result<Verdict> judge(const policy::Policy& policy, policy::Access access,
                            std::string_view object, const std::string& current);

/// "denied by fs.write.outside-workspace (built in): REASON", harmless to print.
std::string conclusion(const policy::Decision& decision);

nlohmann::json to_json(const Verdict& verdict);

}  // namespace ctl
