// A start inside a sandbox of ours.
#pragma once

#include "launch/environment.h"
#include "launch/invocation.h"

namespace front {

/// Executes the interpreter at once: the sandbox around us holds, whatever an inner policy says.
/// Returns a status only when it could not be executed.
int run_nested(const launch::Invocation& invocation, const launch::Environment& environment);

}  // namespace front
