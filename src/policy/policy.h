// The policy in force: rules merged from all levels, and the pure decision on one access.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/access.h"
#include "policy/settings.h"
#include "policy/tree.h"

namespace policy {

enum class Effect : std::uint8_t { allow, ask, deny };
enum class Level : std::uint8_t { builtin, admin, user, workspace, invocation };

/// How the content of a refused file may still let a write pass.
enum class Inspection : std::uint8_t {
    none,
    git_config,   ///< The whole new content decides: see policy/git_config.h.
    git_pointer,  ///< The whole new content decides: see is_trusted_pointer in policy/git_layout.h.
};

/// Where a rule was written.
struct Origin {
    Level level = Level::builtin;
    std::string file;        ///< Empty for built-in rules.
    std::uint32_t line = 0;  ///< From 1; 0 for built-in rules.
    std::uint32_t column = 0;

    /// "built in", "/etc/sbxsh/policy.toml:12".
    std::string text() const;
};

/// One rule, as its report and `explain` need it. Lives as long as its Policy.
struct Rule {
    std::string id;  ///< Stable: "fs.write.outside-workspace", "git.hooks".
    Effect effect = Effect::deny;
    Origin origin;
    std::string reason;  ///< May be empty.
    Inspection inspection = Inspection::none;
};

/// The outcome for one access. `rule` is never null: where no rule matches, it is the default of
/// the class.
struct Decision {
    Effect effect = Effect::deny;
    const Rule* rule = nullptr;
    std::string detail;  ///< What exactly matched where that is not plain: the ignore file's line,
                         ///< a git key.

    bool allowed() const { return effect == Effect::allow; }
};

/// Identity of a file independent of its name.
struct FileId {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    friend bool operator==(const FileId&, const FileId&) = default;
};

/// An internet end point. `address` is 4 or 16 bytes in network order.
struct Endpoint {
    std::string address;
    std::uint16_t port = 0;
    bool datagram = false;

    /// "127.0.0.1:80 (tcp)", "[::1]:53 (udp)".
    std::string text() const;
};

/// Whether read-only opens have to be seen one by one.
enum class ReadMode : std::uint8_t {
    fixed,     ///< Every read rule is a literal path: the floor alone can refuse.
    observed,  ///< A glob, an ignore file or an ask rule can match inside readable trees.
};

/// One rule as considered by `explain`.
struct Considered {
    const Rule* rule = nullptr;
    bool matched = false;
    std::string why;  ///< "matches {workspace}/.git/hooks", "overridden by user rule x", "excepted
                      ///< by *.sample".
};

struct Summary;

/// The merged rules. Immutable after loading, so every const member is thread-safe and may run
/// after fork.
class Policy {
  public:
    ~Policy();
    Policy(Policy&&) noexcept;
    Policy& operator=(Policy&&) noexcept;

    /// Decides on the object at `path`: absolute, canonical (no symbolic link, `.`, `..` or double
    /// slash), raw bytes; it need not exist. `id` is the object's identity, all zero where there is
    /// none: an object that a literal deny names is refused under every name. `tree` is consulted
    /// only for ignore files and git repositories.
    Decision decide(Access access, std::string_view path, FileId id, const Tree& tree) const;

    /// Decides on an internet address.
    Decision decide(Access access, const Endpoint& endpoint) const;

    /// Decides on a unix socket that was not made inside: `name` is a canonical path or '@' and an
    /// abstract name.
    Decision decide_unix(Access access, std::string_view name) const;

    /// The default rule of a class without objects of its own (signal, inspect, ipc, kernel), for
    /// use in reports about objects outside the sandbox.
    Decision decide_outside(Access access) const;

    /// Whether any rule could refuse `access` (or ask) to some descendant of the directory `path`,
    /// existing or not. Conservative: false is a promise. Ignore files count only when `observed`
    /// because of them.
    bool may_refuse_below(Access access, std::string_view path) const;

    /// Whether the children of `path` can be told apart by their names: each rule that could refuse
    /// something below `path` either refuses all of it, or names the next component literally.
    bool literal_below(Access access, std::string_view path) const;

    /// Whether some rule refuses `access` to something below the directory `path` that it names
    /// literally.
    bool names_refusal_below(Access access, std::string_view path) const;

    /// The names of the children of the directory `path` at or below which `access` could be
    /// refused, where that can be told by name: every other child, existing or not, is granted
    /// `access` with all that is below it. Sorted; they live as long as the policy. Nothing where
    /// each child has to be asked for.
    std::optional<std::vector<std::string_view>> narrowed_children(Access access,
                                                                   std::string_view path) const;

    /// Where nothing below the directory `path` can be refused `access` but the machine's own
    /// secrets, which the modes of files keep from everybody but their owner, too: their paths.
    /// Otherwise nothing. They live as long as the policy.
    std::optional<std::vector<std::string_view>> machine_secrets_below(Access access,
                                                                       std::string_view path) const;

    /// Whether some descendant of `path` (existing or not) is granted `access` although `path`
    /// itself is refused.
    bool may_allow_below(Access access, std::string_view path) const;

    /// Whether each rule for `access` treats every possible descendant of `from` as that of `to`
    /// with the same suffix. Used when a directory is renamed: true means no protection is gained
    /// or lost, without a scan.
    bool equal_below(Access access, std::string_view from, std::string_view to) const;

    ReadMode read_mode() const;

    /// Directories that are writable roots by rule but need not exist (tool caches), for
    /// `Access::write`. Absolute, canonical, in no order. What exists of them is for the caller to
    /// find out.
    std::vector<std::string> writable_roots() const;

    /// Canonical path of the workspace; empty when there is none (then nothing is writable because
    /// of it).
    const std::string& workspace() const;

    /// Every rule considered for an access, in the order of precedence, for `explain`.
    std::vector<Considered> consider(Access access, std::string_view path, FileId id,
                                     const Tree& tree) const;

    /// The same for an internet address, a unix socket, and the classes without objects.
    std::vector<Considered> consider(Access access, const Endpoint& endpoint) const;
    std::vector<Considered> consider_unix(Access access, std::string_view name) const;
    std::vector<Considered> consider_outside(Access access) const;

    /// What the policy says besides its rules.
    const Settings& settings() const;

    /// What holds, as data for a description; see policy/summary.h.
    Summary summary() const;

    /// Names of environment variables, out of `names`, that are to be removed before a command
    /// starts.
    std::vector<std::string_view> scrub(const std::vector<std::string_view>& names) const;

    struct Impl;
    explicit Policy(std::unique_ptr<const Impl> impl);

  private:
    std::unique_ptr<const Impl> impl_;
};

}  // namespace policy
