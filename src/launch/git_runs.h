// What git runs, or reads its settings from, because a repository's configuration names it.
#pragma once

#include <string>
#include <vector>

namespace launch {

/// Canonical paths that the configurations of the repository with the git directory
/// `git_directory` and of the user (`user_configs`, in their `home`) name: the directory
/// of hooks, included files, programs of filters, aliases and the like, as far as they stand for
/// paths; and what the repository's config, hooks directory or single hooks lead to where they are
/// symbolic links. Relative names are taken from `workspace`, as git does for programs and hooks,
/// or from the file that includes. What does not exist yet is named too. Sorted, without
/// duplicates.
std::vector<std::string> what_git_runs(const std::string& git_directory,
                                       const std::string& workspace, const std::string& home,
                                       const std::vector<std::string>& user_configs);

}  // namespace launch
