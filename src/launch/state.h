// Our own state directory.
#pragma once

#include <string>

#include "core/result.h"
#include "policy/load.h"

namespace launch {

/// Makes the state directory that `variables` name, with its parents, for the user alone (0700),
/// unless it is there. An Error, with a remedy, when it cannot be made or used, would lie in the
/// workspace, or the user has no home for it.
core::Result<void> prepare_state(const policy::Variables& variables);

}  // namespace launch
