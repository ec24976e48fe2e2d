// The environment as a list of "NAME=value" texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// In the order of environ(7); entries without '=' are kept and have no name.
using Environment = std::vector<std::string>;

/// The value of `name`, that of its first entry as in getenv(3); nothing when it is unset. Valid as
/// long as `environment`.
inline std::optional<std::string_view> find(const Environment& environment, std::string_view name) {
    for (const std::string& entry : environment) {
        if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name)) {
            return std::string_view(entry).substr(name.size() + 1);
        }
    }
    return std::nullopt;
}

/// The value of `name`; nothing when it is unset or empty.
inline std::optional<std::string_view> find_nonempty(const Environment& environment,
                                                     std::string_view name) {
    const auto value = find(environment, name);
    return value && !value->empty() ? value : std::nullopt;
}

}  // namespace launch
