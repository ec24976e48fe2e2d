// Which paths are parts of a git repository that git trusts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/tree.h"

namespace policy {

enum class GitPart {
    none,
    config,  ///< <gitdir>/config, <gitdir>/config.worktree, also of modules/ and worktrees/ below
             ///< it.
    hook,    ///< <gitdir>/hooks or something in it that is not *.sample.
    attributes,  ///< <gitdir>/info/attributes.
    pointer,  ///< A `.git` that is no directory (yet), <gitdir>/commondir, <gitdir>/gitdir: names
              ///< another directory.
};

/// What part of a repository the canonical `path` is, existing or not. A directory counts as a git
/// directory when
/// - it is called ".git" (exactly: on Linux git knows no other spelling), or
/// - it is X/worktrees/NAME of a git directory X, or below the modules of a ".git" and absent as
/// yet, or
/// - it holds objects and refs (or reftable), or HEAD and commondir.
/// HEAD is not asked for in the third form since git takes config and hooks from a directory
/// without it where another one's commondir names it. Only looks at `tree` when the last components
/// make a match possible. `pointer` is also the answer for an absent ".git": who makes a directory
/// of that name (git init) may ignore it.
GitPart git_part(const Tree& tree, std::string_view path);

/// The directory that would become a git directory if `path` came into being as `kind` (by mkdir,
/// create, rename or link), when that step completes one of the forms above, and it is not one by
/// name already. What it contains then decides: see objectionable_parts.
std::optional<std::string> completes_git_dir(const Tree& tree, std::string_view path,
                                             Tree::Kind kind);

/// Whether the canonical `path` is a git directory by its name alone, whatever it contains.
/// Renaming a directory to such a name gives its config and hooks their power, so its
/// objectionable_parts decide.
bool is_git_dir_name(std::string_view path);

/// What the content of a pointer file in the directory `base` names: the canonical path, by text
/// alone (a ".." after a symbolic link is not followed as the kernel would). Takes "gitdir: PATH"
/// (a `.git` file) and "PATH" (commondir, gitdir), with trailing line ends as git strips them.
/// Nothing when it is empty, longer than a path, or has line ends or NUL bytes inside.
std::optional<std::string> git_pointer_target(std::string_view base, std::string_view content);

/// Whether `content` is what git itself would write to `pointer_path`:
/// - `.git` of a worktree: X/worktrees/NAME of a git directory X whose own gitdir file names
/// `pointer_path` in turn;
/// - `.git` of a submodule: .git/modules/NAME (or .git/worktrees/W/modules/NAME) of the work tree
/// that holds it;
/// - X/worktrees/NAME/commondir: X; X/worktrees/NAME/gitdir: a path that ends in "/.git" and is no
/// directory.
bool is_trusted_pointer(const Tree& tree, std::string_view pointer_path, std::string_view content);

/// What git would run or trust in `git_dir` once it is a git directory, sorted by kind: "config:
/// core.fsmonitor" (each unsafe key against an empty config; "config: unreadable" for what is no
/// readable git config), the same for config.worktree, "commondir: TARGET" unless it is trusted,
/// "hooks: not a directory", "hooks/NAME" for each hook that git knows, "info/attributes". Empty
/// when it may become one. `extra` and `workspace` as in git_config.h.
std::vector<std::string> objectionable_parts(const Tree& tree, std::string_view git_dir,
                                             const std::vector<std::string>& extra = {},
                                             std::string_view workspace = {});

}  // namespace policy
