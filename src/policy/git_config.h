// Reads git's config language, and tells which changes to it could make git run something.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace policy {

/// One `key = value` with its full name, section and variable in lower case: "remote.Origin.url".
struct GitSetting {
    std::string key;
    std::string value;
    friend bool operator==(const GitSetting&, const GitSetting&) = default;
};

/// Longest config text that is read, in bytes.
inline constexpr std::size_t git_config_limit = 1 << 20;

/// Parses a git config text as git 2.39 does (sections, old and new subsection syntax, quoting,
/// continuation lines, comments, CRLF, BOM, valueless keys as "true"). A text that git would reject
/// is an Error, with "line N" as its object; so is one longer than `git_config_limit`, and one with
/// a NUL byte, at which git would cut names and values short.
core::Result<std::vector<GitSetting>> parse_git_config(std::string_view text);

/// Keys whose change from `before` to `after` is not known to be harmless, sorted, without
/// duplicates; empty means that the change may pass. A key passes when it is on the list of keys
/// that only describe the repository, or when neither its values nor their order changed. `extra`
/// are further key globs that the policy allows ("gitflow.*"). `base` is the canonical directory of
/// the config file and `workspace` the workspace, for values that are paths; with an empty
/// `workspace` no such value passes. Which key is on the list, and with which values:
/// policy/git_keys.h.
std::vector<std::string> unsafe_git_changes(const std::vector<GitSetting>& before,
                                            const std::vector<GitSetting>& after,
                                            const std::vector<std::string>& extra,
                                            std::string_view base, std::string_view workspace);

}  // namespace policy
