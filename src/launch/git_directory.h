// Which git directory belongs to a working tree, and whether the two name each other.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// The repository of one working tree.
struct GitDirectory {
    std::string path;  ///< Canonical directory that holds this tree's HEAD and index.
    std::vector<std::string>
        roots;  ///< What of the repository lies outside the tree and belongs to it; canonical.
    std::string remark;  ///< Why `roots` lacks a directory that the tree names; empty when nothing
                         ///< is wrong.
};

/// The repository of the working tree at the canonical `root`, by its `.git`: a directory, or a
/// file as `git worktree` and `git submodule` write it. Nothing when there is no `.git`.
///
/// A `.git` file is the tree's own claim, and anyone can write one. So a directory outside the tree
/// is only taken when it names the tree in return: a worktree's by its `gitdir` file and by lying
/// in `worktrees/` of its common directory, a submodule's by `core.worktree` in its config.
std::optional<GitDirectory> find_git_directory(const std::string& root);

/// Where the config and the hooks of a git directory are: what its `commondir` names, else itself.
std::string shared_git_directory(const std::string& git_directory);

}  // namespace launch
