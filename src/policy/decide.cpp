// The decision on one access.
#include <algorithm>
#include <utility>

#include "policy/git_layout.h"
#include "policy/ignore.h"
#include "policy/impl.h"

namespace policy {

namespace {

constexpr std::uint32_t nobody = ~std::uint32_t{0};

Decision by(const Rule& rule, std::string detail = {}) {
    return {rule.effect, &rule, std::move(detail)};
}

// The first matching rule of each sort; rules are numbered in order of precedence.
struct Matches {
    std::uint32_t firm = nobody;     // refuses, and no override helps
    std::uint32_t builtin = nobody;  // refuses, unless overridden
    std::uint32_t overriding = nobody;
    std::uint32_t allowing = nobody;

    void add(std::uint32_t index, const MergedRule& rule) {
        std::uint32_t& best = rule.refuses()          ? (rule.firm() ? firm : builtin)
                              : rule.override_builtin ? overriding
                                                      : allowing;
        best = std::min(best, index);
    }
    std::uint32_t refusing() const { return overriding == nobody ? std::min(firm, builtin) : firm; }
    std::uint32_t deciding() const {
        if (refusing() != nobody) return refusing();
        return overriding != nobody ? overriding : allowing;
    }
};

Matches match_path(const Policy::Impl& impl, Access access, std::string_view path, FileId id) {
    Matches matches;
    const std::string_view below_root = path == "/" ? std::string_view{} : path;
    impl.by_prefix.literals(below_root, [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        if (rule.speaks_of(access) && rule.exception(path) == nullptr) matches.add(ref.rule, rule);
    });
    impl.by_key.candidates(below_root, [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        if (!rule.speaks_of(access) || !impl.pattern(ref).matches(path)) return;
        if (rule.exception(path) == nullptr) matches.add(ref.rule, rule);
    });
    if (id == FileId{}) return matches;
    auto known = std::lower_bound(
        impl.identities.begin(), impl.identities.end(), id.inode,
        [](const auto& entry, std::uint64_t inode) { return entry.id.inode < inode; });
    for (; known != impl.identities.end() && known->id.inode == id.inode; ++known) {
        const MergedRule& rule = impl.rules[known->rule];
        if (known->id == id && rule.speaks_of(access) && rule.exception(path) == nullptr)
            matches.add(known->rule, rule);
    }
    return matches;
}

Subject subject_of(GitPart part) {
    switch (part) {
        case GitPart::none:
            return Subject::patterns;
        case GitPart::config:
            return Subject::git_config;
        case GitPart::hook:
            return Subject::git_hook;
        case GitPart::attributes:
            return Subject::git_attributes;
        case GitPart::pointer:
            return Subject::git_pointer;
    }
    return Subject::patterns;
}

const MergedRule* git_rule(const Policy::Impl& impl, std::string_view path, const Tree& tree) {
    if (impl.git_rules.empty()) return nullptr;
    const Subject subject = subject_of(git_part(tree, path));
    if (subject == Subject::patterns) return nullptr;
    for (const std::uint32_t index : impl.git_rules) {
        const MergedRule& rule = impl.rules[index];
        if (rule.subject == subject && rule.exception(path) == nullptr) return &rule;
    }
    return nullptr;
}

bool obeys_ignore_files(const Policy::Impl& impl, Access access) {
    return impl.observes_ignore_files && (access == Access::read || access == Access::write);
}

template <class Select>
std::uint32_t first_match(const Policy::Impl& impl, Access access, Select selects) {
    Matches matches;
    for (std::uint32_t index = 0; index < impl.rules.size(); ++index) {
        const MergedRule& rule = impl.rules[index];
        if (rule.speaks_of(access) && selects(rule.selects) && !selects(rule.excepts))
            matches.add(index, rule);
    }
    return matches.deciding();
}

Decision decided(const Policy::Impl& impl, Access access, std::uint32_t index) {
    return by(index == nobody ? impl.default_rule(access) : impl.rules[index].rule);
}

auto selects_endpoint(const Endpoint& endpoint) {
    return [&endpoint](const Selection& selection) {
        return std::any_of(
            selection.endpoints.begin(), selection.endpoints.end(),
            [&](const EndpointPattern& pattern) { return pattern.matches(endpoint); });
    };
}

auto selects_abstract(std::string_view name) {
    return [name](const Selection& selection) {
        return std::any_of(
            selection.names.begin(), selection.names.end(),
            [&](const AbstractName& pattern) { return pattern.glob.matches(name.substr(1)); });
    };
}

}  // namespace

Decision Policy::decide(Access access, std::string_view path, FileId id, const Tree& tree) const {
    const Impl& impl = *impl_;
    const Matches matches = match_path(impl, access, path, id);
    const std::uint32_t refusing = matches.refusing();
    if (refusing != nobody && impl.rules[refusing].rule.effect == Effect::deny)
        return by(impl.rules[refusing].rule);
    if (obeys_ignore_files(impl, access)) {
        const std::string_view root = impl.root_of(path);
        if (!root.empty()) {
            if (auto ignored = find_ignored(tree, root, path))
                return by(impl.ignored, std::move(ignored->detail));
        }
    }
    const std::uint32_t deciding = matches.deciding();
    const Decision decision = decided(impl, access, deciding);
    const bool looks_for_git =
        access == Access::write && matches.overriding == nobody && decision.effect != Effect::deny;
    if (const MergedRule* rule = looks_for_git ? git_rule(impl, path, tree) : nullptr)
        return by(rule->rule);
    return decision;
}

Decision Policy::decide(Access access, const Endpoint& endpoint) const {
    return decided(*impl_, access, first_match(*impl_, access, selects_endpoint(endpoint)));
}

Decision Policy::decide_unix(Access access, std::string_view name) const {
    if (name.starts_with('@'))
        return decided(*impl_, access, first_match(*impl_, access, selects_abstract(name)));
    return decided(*impl_, access, match_path(*impl_, access, name, {}).deciding());
}

Decision Policy::decide_outside(Access access) const {
    return decided(*impl_, access, first_match(*impl_, access, [](const Selection& selection) {
        return selection.everything;
    }));
}

}  // namespace policy
