// What a policy says besides its rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace policy {

/// Settings merged from all levels; the last level that says something wins. An empty optional:
/// nobody said anything.
struct Settings {
    std::optional<std::string>
        interpreter;  ///< [shell] interpreter: absolute path of the real shell.
    std::optional<std::string>
        diagnostics;  ///< [report] diagnostics: "text", "line", "json" or "off".
    std::vector<std::string>
        git_allowed_config;  ///< [git] allow-config: globs of keys, for unsafe_git_changes.
};

}  // namespace policy
