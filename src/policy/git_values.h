// Whether the value of a git configuration key is one that cannot make git run, read or write
// something unexpected.
#pragma once

#include <string>
#include <string_view>

namespace policy {

/// The canonical path that `path` stands for, seen from the canonical directory `base`, by text
/// alone: "." and ".." are removed without a look at symbolic links. Empty when it would leave "/"
/// or `base` is not absolute.
std::string lexical_path(std::string_view base, std::string_view path);

/// Whether the canonical `path` is `directory` or below it. An empty directory contains nothing.
bool is_within(std::string_view path, std::string_view directory);

/// Whether git reaches the repository `url` (a URL, host:path, path or remote's name) with what it
/// brings itself: false for "helper::address", unknown schemes, an option-like value or host, and
/// control characters.
bool is_plain_git_url(std::string_view url);

/// Whether `value` of core.worktree, in the config file of the directory `base`, names a directory
/// in `workspace` that is no part of a git directory.
bool is_git_worktree_inside(std::string_view value, std::string_view base,
                            std::string_view workspace);

/// Whether `value` names a file in `workspace`: a relative path that stays below its start, or an
/// absolute one, with no ".git" part. git expands "~" and "%(prefix)", so those are outside.
bool is_git_path_inside(std::string_view value, std::string_view workspace);

}  // namespace policy
