// All of a tree that a change could show in.
#pragma once

#include <string>

namespace ctl::verify {

/// A text that differs when a name, content, type, mode, owner, link, time of change, extended
/// attribute or flag at or below `path` does. "absent" where there is nothing. Reading alone
/// changes nothing of it.
std::string snapshot(const std::string& path);

}  // namespace ctl::verify
