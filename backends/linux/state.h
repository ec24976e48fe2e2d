// Where the sandboxes of one workspace keep what they share.
#pragma once

#include <string>

#include "launch/plan.h"

namespace linux_backend {

/// The directory of the plan's workspace below the state directory, made when absent; empty when
/// there is no usable state.
std::string workspace_state(const launch::Plan& plan);

}  // namespace linux_backend
