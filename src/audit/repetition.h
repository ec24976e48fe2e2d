// Whether the same thing was refused to the same command before.
#pragma once

#include <string>
#include <string_view>

namespace audit {

/// How many commands were refused what `key` (audit::refusal_key) stands for, by the log in
/// `directory`: a command with several such refusals counts once. Among the newest records only (1
/// MiB), so that the cost is bounded. 0 when it cannot be read. The one whose refusals are already
/// appended is counted too.
unsigned count_commands_refused(const std::string& directory, std::string_view key);

}  // namespace audit
