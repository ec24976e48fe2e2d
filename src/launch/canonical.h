// Paths without symbolic links, for objects that need not exist.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace launch {

/// `path` with its symbolic links, dots and doubled slashes resolved; from the first component on
/// that does not exist or cannot be searched, it is kept as written. Nothing when it is not
/// absolute, or holds ".." in that last part.
std::optional<std::string> canonical(std::string_view path);

/// Whether `path` is `directory` or below it. Both canonical.
bool is_within(std::string_view path, std::string_view directory);

}  // namespace launch
