// What the process that the caller started does while the command runs: pass signals on, and wait.
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <vector>

#include "core/result.h"
#include "launch/backend.h"
#include "os/fd.h"

namespace linux_backend {

/// Waits for the command's end, told by the broker on `broker`. Signals sent to this process (all
/// are blocked) go to the command, except those that went to its whole process group, as the
/// process at the other end of `witness` tells. When the broker dies first, everything inside is
/// killed and an Error returned.
core::Result<launch::Outcome> wait_for_command(os::Fd broker, os::Fd witness);

/// Closes every descriptor except those in `kept` and `own`.
void release_descriptors(const std::vector<int>& kept, std::initializer_list<int> own);

}  // namespace linux_backend
