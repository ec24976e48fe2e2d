// Moves the spans of a tree from a text that was unquoted to the text that it was written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "command/tree.h"

namespace command {

/// Rewrites every place in `script`: byte i becomes byte `at[i]`, the end of the text becomes
/// `end`.
void remap(Script& script, const std::vector<std::uint32_t>& at, std::size_t end);

}  // namespace command
