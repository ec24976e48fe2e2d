// The merged policy as the decisions read it: rules in order of precedence, and indexes over their
// patterns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/builtin.h"
#include "policy/endpoint.h"
#include "policy/glob.h"
#include "policy/pattern.h"
#include "policy/policy.h"
#include "policy/settings.h"

namespace policy {

inline constexpr std::size_t access_count = static_cast<std::size_t>(Access::kernel) + 1;

/// What an access is asked for, which decides how a rule's patterns are read.
enum class Realm : std::uint8_t { paths, endpoints, nothing };
Realm realm_of(Access access);

/// A pattern of abstract socket names, without the '@'.
struct AbstractName {
    std::string text;
    Glob glob;
};

/// Patterns of one side of a rule: what it names, or what it excepts. Only the members of its realm
/// are filled.
struct Selection {
    std::vector<Pattern> paths;
    std::vector<AbstractName> names;
    std::vector<EndpointPattern> endpoints;
    bool everything = false;  ///< "*", where accesses have no objects to choose from.
};

/// One rule of the merged policy.
struct MergedRule {
    Rule rule;
    AccessSet accesses = 0;
    Subject subject = Subject::patterns;
    Keeper keeper = Keeper::nobody;
    std::string group;
    bool override_builtin = false;
    bool locked = false;
    Selection selects;
    Selection excepts;

    bool speaks_of(Access access) const { return (accesses & set_of(access)) != 0; }
    bool refuses() const { return rule.effect != Effect::allow; }
    /// Whether no `override` can set it aside.
    bool firm() const { return rule.origin.level != Level::builtin || group.empty(); }
    /// The exception that `path` falls under, else nullptr.
    const Pattern* exception(std::string_view path) const;
};

/// A pattern of a rule, by numbers.
struct PatternRef {
    std::uint32_t rule = 0;
    std::uint32_t pattern = 0;
};

/// FNV-1a of the name of a file.
std::uint32_t hash_of(std::string_view component);

/// Finds the patterns with wildcards that can match a path, by a component that each matching path
/// must have.
class KeyIndex {
  public:
    void build(const std::vector<MergedRule>& rules);
    /// Calls `visit(PatternRef)` for each such pattern that may match `path`; none is left out,
    /// some come in vain.
    template <class Visit>
    void candidates(std::string_view path, Visit visit) const {
        for (const PatternRef ref : everywhere_) visit(ref);
        for (std::size_t at = 0; at < path.size();) {
            const std::size_t end = path.find('/', at + 1) == std::string_view::npos
                                        ? path.size()
                                        : path.find('/', at + 1);
            const std::uint32_t hash = hash_of(path.substr(at + 1, end - at - 1));
            for (std::uint32_t entry = heads_[hash % heads_.size()]; entry != 0;
                 entry = entries_[entry - 1].next) {
                if (entries_[entry - 1].hash == hash) visit(entries_[entry - 1].ref);
            }
            at = end;
        }
    }

  private:
    struct Entry {
        std::uint32_t hash;
        std::uint32_t next;  // 1 + index of the next entry of the bucket
        PatternRef ref;
    };

    std::vector<std::uint32_t> heads_ = std::vector<std::uint32_t>(1);
    std::vector<Entry> entries_;
    std::vector<PatternRef> everywhere_;
};

/// Finds the patterns that a directory is inside of or above of, by their literal beginnings: a
/// tree of directories.
class PrefixIndex {
  public:
    void build(const std::vector<MergedRule>& rules);
    /// Calls `visit(PatternRef)` for each pattern that may match `path` or something below it,
    /// until one returns true; tells whether one did.
    template <class Visit>
    bool any(std::string_view path, Visit visit) const {
        if (path == "/") path = {};
        std::uint32_t node = 0;
        for (std::size_t at = 0;;) {  // the directories above and the path itself
            if (any_at(node, visit)) return true;
            if (at >= path.size()) break;
            const std::size_t end = std::min(path.find('/', at + 1), path.size());
            const std::string_view name = path.substr(at + 1, end - at - 1);
            node = child(node, name, hash_of(name));
            if (node == 0) return false;
            at = end;
        }
        return any_below(node, visit);
    }
    /// Calls `name(std::string_view)` for each child of `path` at or below which
    /// `below(PatternRef)` is true for some pattern that begins there. False, and no more calls,
    /// where `above(PatternRef)` is true for one that begins at `path` or above.
    template <class Above, class Below, class Name>
    bool children(std::string_view path, Above above, Below below, Name name) const {
        std::uint32_t node = 0;
        for (std::size_t at = 0;;) {
            if (any_at(node, above)) return false;
            if (at >= path.size()) break;
            const std::size_t end = std::min(path.find('/', at + 1), path.size());
            const std::string_view component = path.substr(at + 1, end - at - 1);
            node = child(node, component, hash_of(component));
            if (node == 0) return true;
            at = end;
        }
        for (std::uint32_t at = nodes_[node].children; at != 0; at = nodes_[at].sibling) {
            if (any_at(at, below) || any_below(at, below))
                name(std::string_view(nodes_[at].name, nodes_[at].length));
        }
        return true;
    }
    /// Calls `visit(PatternRef)` for each literal pattern that matches `path`.
    template <class Visit>
    void literals(std::string_view path, Visit visit) const {
        std::uint32_t node = 0;
        for (std::size_t at = 0;;) {
            for (std::uint32_t entry = nodes_[node].entries;
                 entry != 0 && entries_[entry - 1].sort == Sort::literal;
                 entry = entries_[entry - 1].next)
                visit(entries_[entry - 1].ref);
            if (at >= path.size()) return;
            const std::size_t end = std::min(path.find('/', at + 1), path.size());
            const std::string_view name = path.substr(at + 1, end - at - 1);
            node = child(node, name, hash_of(name));
            if (node == 0) return;
            at = end;
        }
    }
    /// Calls `enter(path, names)` for each directory with how many names in it patterns begin
    /// with, and `visit(PatternRef)` for the patterns that begin with exactly these; what is below
    /// a directory comes together.
    template <class Enter, class Visit>
    void walk(Enter enter, Visit visit) const {
        std::string path;
        walk(0, path, enter, visit);
    }

  private:
    struct Node {
        const char* name = nullptr;
        std::uint32_t length = 0;
        std::uint32_t parent = 0;
        std::uint32_t children = 0;  // the first of them, 0: none, as the root is nobody's child
        std::uint32_t sibling = 0;
        std::uint32_t bucket = 0;   // the next node of the bucket
        std::uint32_t entries = 0;  // 1 + index of the first entry
    };
    enum class Sort : std::uint8_t { wildcards, literal };
    struct Entry {
        PatternRef ref;
        std::uint32_t next;  // 1 + index; literal patterns come first
        Sort sort;
    };

    void add(const std::vector<MergedRule>& rules, Sort sort);
    template <class Visit>
    bool any_at(std::uint32_t node, Visit& visit) const {
        for (std::uint32_t at = nodes_[node].entries; at != 0; at = entries_[at - 1].next) {
            if (visit(entries_[at - 1].ref)) return true;
        }
        return false;
    }
    template <class Visit>
    bool any_below(std::uint32_t node, Visit& visit) const {
        for (std::uint32_t at = nodes_[node].children; at != 0; at = nodes_[at].sibling) {
            if (any_at(at, visit) || any_below(at, visit)) return true;
        }
        return false;
    }
    template <class Enter, class Visit>
    void walk(std::uint32_t node, std::string& path, Enter& enter, Visit& visit) const {
        if (nodes_[node].children == 0) return;
        std::size_t names = 0;
        for (std::uint32_t at = nodes_[node].children; at != 0; at = nodes_[at].sibling) ++names;
        enter(path.empty() ? std::string_view("/") : std::string_view(path), names);
        for (std::uint32_t at = nodes_[node].children; at != 0; at = nodes_[at].sibling) {
            for (std::uint32_t entry = nodes_[at].entries; entry != 0;
                 entry = entries_[entry - 1].next)
                visit(entries_[entry - 1].ref);
        }
        const std::size_t length = path.size();
        for (std::uint32_t at = nodes_[node].children; at != 0; at = nodes_[at].sibling) {
            path += '/';
            path.append(nodes_[at].name, nodes_[at].length);
            walk(at, path, enter, visit);
            path.resize(length);
        }
    }
    std::size_t bucket(std::uint32_t parent, std::uint32_t hash) const {
        return (hash ^ parent * 0x9e3779b9U) & (buckets_.size() - 1);
    }
    std::uint32_t child(std::uint32_t parent, std::string_view name, std::uint32_t hash) const;
    std::uint32_t child_or_new(std::uint32_t parent, std::string_view name);

    std::vector<Node> nodes_ = std::vector<Node>(1);
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> buckets_ = std::vector<std::uint32_t>(1);
};

/// Globs of environment variables, by who wrote them.
struct EnvironmentRules {
    std::vector<std::string>
        firmly_removed;  ///< By the administrator or the workspace: no `keep` helps.
    std::vector<std::string> kept;
    std::vector<std::string> removed;
    bool builtin = true;  ///< Whether the built-in lists count.
};

struct Policy::Impl {
    std::vector<MergedRule>
        rules;  ///< Deny, ask, allow; in each the administrator's first and the built-in last.
    std::array<Rule, access_count> defaults;
    KeyIndex by_key;
    PrefixIndex by_prefix;

    /// Objects that literal refusing patterns name, by inode.
    struct Identity {
        FileId id;
        std::uint32_t rule;
    };
    std::vector<Identity> identities;
    std::vector<std::uint32_t> overrides;  ///< Rules with `override`.
    std::vector<std::uint32_t> git_rules;  ///< Rules whose subject is a part of a repository.

    bool observes_ignore_files = false;
    Rule ignored;  ///< The rule for what an ignore file names.
    ReadMode read_mode = ReadMode::fixed;
    std::vector<std::string> workspaces;
    std::string workspace;
    Settings settings;
    EnvironmentRules environment;

    const Rule& default_rule(Access access) const {
        return defaults[static_cast<std::size_t>(access)];
    }
    /// The workspace root that `path` is in, else empty.
    std::string_view root_of(std::string_view path) const;
    /// Whether an `override` rule for `access` matches `path`.
    const MergedRule* override_for(Access access, std::string_view path) const;
    const Pattern& pattern(PatternRef ref) const {
        return rules[ref.rule].selects.paths[ref.pattern];
    }
};

/// Whether the glob `pattern` (`*` and `?` only, ASCII letters of either case alike) matches the
/// variable's name.
bool matches_variable(std::string_view pattern, std::string_view name);

}  // namespace policy
