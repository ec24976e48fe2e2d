// Changes to git repositories that pass only after a look at their content.
// The reasoning: docs/decisions/0001-git-pointers.md.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "linux/broker/notification.h"
#include "linux/broker/resolve.h"
#include "policy/policy.h"
#include "policy/tree.h"

namespace linux_backend {

class Call;

namespace git_gate {

/// Whether a name at the canonical `path` could be what makes its directory a git directory (HEAD,
/// objects, refs, reftable, commondir). Then Broker::names() has to be held alone from
/// `refuse_completion` until the name is made, since two steps at once would each find the other's
/// part missing, and a config could change between look and step.
bool may_complete(std::string_view path);

/// To be asked before a name that does not exist yet is made at the canonical `path` (mkdir,
/// create, link, symlink, mknod, or the target of a rename). Nothing when the step may go on: it
/// completes no git directory, or one whose config and hooks make git run nothing; its config is
/// then replaced by a copy, as the caller may still hold the original open for writing. Else the
/// recorded refusal. Runs with the identity that the caller of this function assumed.
std::optional<Answer> refuse_completion(const Call& call, const std::string& path,
                                        policy::Tree::Kind kind);

/// A rename of `source` onto `target`, which `decision` refuses by a rule whose `inspection` asks
/// for the content. When that makes git run nothing, a copy of it is installed as `target` and
/// `source` removed: the writer may still hold `source` open. `flags` are renameat2(2)'s. Answers
/// for the call in every case. Broker::names() must be held alone.
Answer rename_inspected(const Call& call, const Place& source, const Place& target,
                        const policy::Decision& decision, unsigned flags);

/// Opens the regular file `path`, or creates it, for writing: a pointer that `decision` refuses by
/// a rule with Inspection::git_pointer. What is written comes into force when it is closed, see
/// PointerDrafts. `flags` and `mode` are open(2)'s. Broker::names() must be held.
Answer open_pointer(const Call& call, const std::string& path, std::uint64_t flags, mode_t mode,
                    const policy::Decision& decision);

/// Nothing when the directory `from` may be renamed to `to` as far as its name alone makes it a git
/// directory (".git", modules and worktrees below one), or ceases to. A repository whose config or
/// hooks run something keeps its name.
std::optional<Answer> refuse_new_git_name(const Call& call, const std::string& from,
                                          const std::string& to);

/// Whether a refused removal of `path` may pass all the same: the parts of a repository go with it,
/// unless it is the workspace's own.
bool may_remove(const Call& call, const policy::Decision& decision, std::string_view path);

/// Whether a refused mkdir of `path` may pass all the same: an empty directory for hooks runs
/// nothing, and a `.git` that is a directory is no pointer.
bool may_make_directory(const policy::Decision& decision, std::string_view path);

}  // namespace git_gate
}  // namespace linux_backend
