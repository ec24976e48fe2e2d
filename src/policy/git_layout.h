// Which paths are parts of a git repository that git trusts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/tree.h"

namespace policy {

enum class GitPart {
    none,
    config,      ///< <gitdir>/config, <gitdir>/config.worktree, also of modules/ and worktrees/ below it.
    hook,        ///< <gitdir>/hooks or something in it that is not *.sample.
    attributes,  ///< <gitdir>/info/attributes.
    pointer,     ///< A `.git` *file*, <gitdir>/commondir, <gitdir>/gitdir: names another directory as repository.
};

/// What part of a repository the canonical `path` is, existing or not. A directory counts as a git directory when it is
/// called ".git", or is below "modules"/"worktrees" of one in git's own layout, or holds HEAD, objects and refs
/// (or HEAD and commondir). Only looks at `tree` when the last components make a match possible.
GitPart git_part(const Tree& tree, std::string_view path);

/// The directory that would become a git directory if `path` came into being as `kind` (by mkdir, create, rename or
/// link), when that step completes it (HEAD, objects and refs, or HEAD and commondir, all present then), and it is not
/// one by name already.
std::optional<std::string> completes_git_dir(const Tree& tree, std::string_view path, Tree::Kind kind);

}  // namespace policy
