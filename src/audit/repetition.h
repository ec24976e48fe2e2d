// Whether the same thing was refused to the same command before.
#pragma once

#include <string>
#include <string_view>

namespace audit {

/// How many earlier refusals with `key` (audit::refusal_key) the log in `directory` holds: among
/// its newest records only (1 MiB), so that the cost is bounded. 0 when it cannot be read. Ask
/// before the new refusals are appended.
unsigned count_refusals(const std::string& directory, std::string_view key);

}  // namespace audit
