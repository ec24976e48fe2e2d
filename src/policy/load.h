// From policy files to the policy in force.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "policy/policy.h"

namespace policy {

/// One policy text and the level it speaks for. Reading files is the caller's job (launch).
struct Source {
    Level level = Level::user;
    std::string file;  ///< For origins and messages.
    std::string text;  ///< TOML.
};

/// What the variables of patterns stand for. All paths absolute and canonical.
struct Variables {
    std::string workspace;                     ///< {workspace}; empty when there is none.
    std::vector<std::string> extra_workspace;  ///< More roots with the same rights: a worktree's or
                                               ///< submodule's common git dir's parent parts.
    std::vector<std::string>
        homes;  ///< {home}: patterns with it are repeated for each; the first is the user's own.
    /// How many of `homes`, from the end, are those of other people: the built-in rules protect
    /// only the usual secrets there, by {others}, and make nothing writable.
    std::size_t foreign_homes = 0;
    std::vector<std::string> temporary;  ///< {tmp}: /tmp, $TMPDIR.
    std::string cache;                   ///< {cache}: XDG_CACHE_HOME or ~/.cache.
    std::string config;                  ///< {config}: XDG_CONFIG_HOME or ~/.config.
    std::string data;                    ///< {data}: XDG_DATA_HOME or ~/.local/share.
    std::string state;                   ///< {state}: sbxsh's own state directory.
    std::string runtime;                 ///< {runtime}: XDG_RUNTIME_DIR; empty when unset.
    /// {gitruns}: what git runs since the workspace's repository or the user's config names it.
    std::vector<std::string> git_runs;
};

/// Facts about the file system that merging needs, gathered by the caller so that policy makes no
/// system call.
struct Surroundings {
    /// For a literal deny path: the path that it finally resolves to where that differs (it is a
    /// symbolic link), and the identity of the object there, if any. Called once for each literal
    /// path of a deny or ask rule.
    struct Resolved {
        std::string target;    ///< Empty when not a symbolic link.
        FileId id;             ///< All zero when absent.
        bool aliased = false;  ///< A file that has other names too (hard links).
    };
    virtual ~Surroundings() = default;
    /// What resolve() is asked next lies in or below `directory`, which may not exist: about
    /// `names` of its children.
    virtual void expect(std::string_view directory, std::size_t names) const {
        (void)directory;
        (void)names;
    }
    virtual Resolved resolve(const std::string& path) const = 0;
    /// Whether ignore files are in use in the workspace, so that reads must be observed.
    virtual bool has_ignore_files(const std::string& workspace) const = 0;
};

/// Merges the built-in policy and `sources` (in order of level). An Error names "file:line:column"
/// as its object and carries a remedy; unknown keys, wrong types, unknown variables, globs that do
/// not compile, examples that do not hold, an `allow` in the workspace's file, a change to an
/// admin's locked rule: all are errors, nothing is ignored.
core::Result<Policy> load(const std::vector<Source>& sources, const Variables& variables,
                          const Surroundings& surroundings);

}  // namespace policy
