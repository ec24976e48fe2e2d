// What holds under a policy, as a text for a person or an agent's tool description, and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "launch/prepare.h"

namespace ctl {

/// Some forty lines: fit for the prompt of an agent. Long lists are cut, and say so.
std::string description_text(const launch::LoadedPolicy& loaded);

/// Everything, uncut. Described in sbxctl(1).
nlohmann::json description_json(const launch::LoadedPolicy& loaded);

}  // namespace ctl
