// Finds the script that a command such as `bash -c '…'` or `eval …` carries in its operands.
#pragma once

#include <cstddef>
#include <optional>

#include "command/tree.h"

namespace command {

/// A script in other text, see parse_mapped.
struct Wrapped {
    Literal script;
    std::size_t end = 0;
};

/// The script that the simple command `node` hands to `eval` or to a shell's -c, when all of it is
/// constant.
std::optional<Wrapped> unwrap(const Node& node);

}  // namespace command
