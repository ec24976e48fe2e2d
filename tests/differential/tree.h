// The tree that a sequence acts on: made the same for both sides, and described from outside
// afterwards.
#pragma once

#include <string>

namespace differential {

/// Fills the empty directory `top`. Some objects have other owners when root makes it. Ends the
/// process when it cannot.
void make_tree(const std::string& top);

/// One line for each name below `top`: type, mode, owner, links, content, attributes and the times
/// that were set on purpose. Opens up directories that are closed to us, which are good for nothing
/// else then.
std::string describe_tree(const std::string& top);

/// Empties `top`.
void remove_tree(const std::string& top);

}  // namespace differential
