// What is known about each key of git's configuration: the data behind git_config.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace policy {

/// What a key's value may do to whoever runs git later.
enum class GitKeyKind : std::uint8_t {
    unknown,  ///< Not in the table: to be treated as unsafe.
    unsafe,   ///< Runs a program, reads further configuration, sends data elsewhere or weakens a
              ///< check.
    data,     ///< Any value only describes the repository or what is displayed.
    choice,   ///< Harmless for the values in `choices` alone.
    url,   ///< A remote's name, URL or path: harmless where git serves it without a helper program.
    urls,  ///< Several of them, separated by blanks.
    path,  ///< A file that is read as data: harmless inside the workspace.
    worktree,  ///< A directory that git writes tracked files to: harmless inside the workspace.
};

/// One row of the table.
struct GitKeyRule {
    std::string_view pattern;  ///< "section.variable", "section.*.variable", "section.*": lower
                               ///< case, '*' a whole part.
    GitKeyKind kind = GitKeyKind::unknown;
    std::string_view choices = {};  ///< For `choice`: the values, separated by one blank.
};

/// Every row, sorted by pattern. Keys of git 2.39 and later, and of tools that keep notes in a
/// repository's config.
std::vector<GitKeyRule> git_key_rules();

/// The row for `key` ("section.variable" or "section.Subsection.variable", section and variable in
/// lower case): the most exact pattern wins, a named subsection before a named variable. `unknown`
/// with an empty pattern if none.
GitKeyRule git_key_rule(std::string_view key);

}  // namespace policy
