// What the rules can mean for what lies below a directory, existing or not.
#include <algorithm>
#include <array>

#include "policy/impl.h"

namespace policy {

namespace {

using Fit = Pattern::Fit;

bool covers(const std::vector<Pattern>& patterns, std::string_view path) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const Pattern& pattern) { return pattern.matches(path); });
}

bool reaches(const std::vector<Pattern>& patterns, std::string_view path) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const Pattern& pattern) { return pattern.fit(path) != Fit::none; });
}

// Whether a refusal of `rule` cannot touch anything below `path`.
bool lifted_below(const Policy::Impl& impl, Access access, const MergedRule& rule,
                  std::string_view path) {
    if (covers(rule.excepts.paths, path)) return true;
    if (rule.firm()) return false;
    return std::any_of(impl.overrides.begin(), impl.overrides.end(), [&](std::uint32_t index) {
        const MergedRule& overriding = impl.rules[index];
        return overriding.speaks_of(access) && covers(overriding.selects.paths, path) &&
               !reaches(overriding.excepts.paths, path);
    });
}

bool obeys_ignore_files(const Policy::Impl& impl, Access access) {
    return impl.observes_ignore_files && (access == Access::read || access == Access::write);
}

// Whether a rule about parts of git repositories could refuse something below `path`.
bool git_below(const Policy::Impl& impl, Access access, std::string_view path) {
    if (access != Access::write) return false;
    return std::any_of(impl.git_rules.begin(), impl.git_rules.end(), [&](std::uint32_t index) {
        return !lifted_below(impl, access, impl.rules[index], path);
    });
}

bool all_allowed_below(const Policy::Impl& impl, Access access, std::string_view path) {
    if (impl.default_rule(access).effect == Effect::allow) return true;
    return impl.by_prefix.any(path, [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        return !rule.refuses() && rule.speaks_of(access) && impl.pattern(ref).matches(path) &&
               !reaches(rule.excepts.paths, path);
    });
}

// Whether git could take something below one of the directories for another part of a repository
// than below the other.
bool git_tells_apart(std::string_view from, std::string_view to) {
    static constexpr std::array<std::string_view, 7> names{
        ".git", "hooks", "modules", "worktrees", "info", "objects", "refs"};
    std::size_t common = 0;
    for (std::size_t at = 0; at <= from.size() && at <= to.size(); ++at) {
        const bool ends =
            (at == from.size() || from[at] == '/') && (at == to.size() || to[at] == '/');
        if (ends) common = at;
        if (at == from.size() || at == to.size() || from[at] != to[at]) break;
    }
    for (const std::string_view path : {from, to}) {
        for (std::size_t at = 0; at < path.size();) {
            const std::size_t end = std::min(path.find('/', at + 1), path.size());
            const std::string_view component = path.substr(at + 1, end - at - 1);
            if (component == ".git") return true;
            const bool own = end > common;
            if (own && (std::find(names.begin(), names.end(), component) != names.end() ||
                        component.ends_with(".sample")))
                return true;
            at = end;
        }
    }
    return false;
}

}  // namespace

bool Policy::may_refuse_below(Access access, std::string_view path) const {
    const Impl& impl = *impl_;
    if (!all_allowed_below(impl, access, path) || git_below(impl, access, path)) return true;
    if (obeys_ignore_files(impl, access)) {
        for (const std::string& root : impl.workspaces) {
            if (lies_within(path, root) || lies_within(root, path)) return true;
        }
    }
    return impl.by_prefix.any(path, [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        return rule.refuses() && rule.speaks_of(access) &&
               impl.pattern(ref).fit(path) != Fit::none && !lifted_below(impl, access, rule, path);
    });
}

bool Policy::literal_below(Access access, std::string_view path) const {
    const Impl& impl = *impl_;
    if (git_below(impl, access, path)) return false;
    if (obeys_ignore_files(impl, access) && !impl.root_of(path).empty()) return false;
    return !impl.by_prefix.any(path, [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        if (!rule.refuses() || !rule.speaks_of(access)) return false;
        const Pattern& pattern = impl.pattern(ref);
        const Pattern::State state = pattern.state(path);
        const bool among_wildcards = pattern.fit(state) == Fit::below && state.rest != 0;
        return among_wildcards && !pattern.is_decidable() &&
               !lifted_below(impl, access, rule, path);
    });
}

bool Policy::names_refusal_below(Access access, std::string_view path) const {
    const Impl& impl = *impl_;
    return impl.by_prefix.any(path, [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        const Pattern& pattern = impl.pattern(ref);
        return rule.refuses() && rule.speaks_of(access) && pattern.is_decidable() &&
               pattern.fit(path) == Fit::below && !lifted_below(impl, access, rule, path);
    });
}

std::optional<std::vector<std::string_view>> Policy::narrowed_children(
    Access access, std::string_view path) const {
    const Impl& impl = *impl_;
    if (path == "/") path = {};
    if (!all_allowed_below(impl, access, path) || git_below(impl, access, path))
        return std::nullopt;
    std::vector<std::string_view> names;
    if (obeys_ignore_files(impl, access)) {
        for (const std::string& root : impl.workspaces) {
            if (lies_within(path, root)) return std::nullopt;
            if (!lies_within(root, path)) continue;
            const std::string_view below = std::string_view(root).substr(path.size() + 1);
            names.push_back(below.substr(0, below.find('/')));
        }
    }
    const auto refuses = [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        return rule.refuses() && rule.speaks_of(access);
    };
    const auto reaches_down = [&](PatternRef ref) {
        return refuses(ref) && impl.pattern(ref).fit(path) != Fit::none &&
               !lifted_below(impl, access, impl.rules[ref.rule], path);
    };
    const bool told_by_name = impl.by_prefix.children(
        path, reaches_down, refuses, [&](std::string_view name) { names.push_back(name); });
    if (!told_by_name) return std::nullopt;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::optional<std::vector<std::string_view>> Policy::machine_secrets_below(
    Access access, std::string_view path) const {
    const Impl& impl = *impl_;
    if (!all_allowed_below(impl, access, path) || obeys_ignore_files(impl, access) ||
        git_below(impl, access, path))
        return std::nullopt;
    std::vector<std::string_view> paths;
    const bool others = impl.by_prefix.any(path, [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        const Pattern& pattern = impl.pattern(ref);
        if (!rule.refuses() || !rule.speaks_of(access) || pattern.fit(path) == Fit::none ||
            lifted_below(impl, access, rule, path))
            return false;
        paths.push_back(pattern.prefix());
        return rule.keeper != Keeper::file_modes || !pattern.is_literal();
    });
    if (others) return std::nullopt;
    return paths;
}

bool Policy::may_allow_below(Access access, std::string_view path) const {
    const Impl& impl = *impl_;
    const auto permits = [&](const MergedRule& rule) {
        return !rule.refuses() && rule.speaks_of(access) && reaches(rule.selects.paths, path);
    };
    const bool overridden =
        std::any_of(impl.overrides.begin(), impl.overrides.end(),
                    [&](std::uint32_t index) { return permits(impl.rules[index]); });
    const bool blocked = impl.by_prefix.any(path, [&](PatternRef ref) {
        const MergedRule& rule = impl.rules[ref.rule];
        if (!rule.refuses() || !rule.speaks_of(access) || !impl.pattern(ref).matches(path))
            return false;
        return !reaches(rule.excepts.paths, path) && (rule.firm() || !overridden);
    });
    if (blocked) return false;
    if (impl.default_rule(access).effect == Effect::allow) return true;
    return std::any_of(impl.rules.begin(), impl.rules.end(), permits);
}

bool Policy::equal_below(Access access, std::string_view from, std::string_view to) const {
    const Impl& impl = *impl_;
    if (obeys_ignore_files(impl, access) &&
        (!impl.root_of(from).empty() || !impl.root_of(to).empty()))
        return false;
    if (access == Access::write && !impl.git_rules.empty() && git_tells_apart(from, to))
        return false;
    const auto alike = [&](const std::vector<Pattern>& patterns) {
        return std::all_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
            return pattern.state(from) == pattern.state(to);
        });
    };
    return std::all_of(impl.rules.begin(), impl.rules.end(), [&](const MergedRule& rule) {
        return !rule.speaks_of(access) || (alike(rule.selects.paths) && alike(rule.excepts.paths));
    });
}

}  // namespace policy
