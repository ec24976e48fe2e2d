// Every rule that was considered for an access, and why it did or did not decide.
#include <algorithm>
#include <utility>

#include "policy/git_layout.h"
#include "policy/ignore.h"
#include "policy/impl.h"

namespace policy {

namespace {

std::string shown(const Pattern& pattern) {
    return pattern.text().empty() ? "/" : pattern.text();
}

// Why a rule about paths matches or not.
Considered consider_path(const Policy::Impl& impl, const MergedRule& rule, std::string_view path,
                         FileId id) {
    std::string why;
    for (const Pattern& pattern : rule.selects.paths) {
        if (!pattern.matches(path)) continue;
        why = "matches " + shown(pattern);
        break;
    }
    if (why.empty() && id != FileId{}) {
        const bool same = std::any_of(
            impl.identities.begin(), impl.identities.end(),
            [&](const auto& known) { return known.id == id && &impl.rules[known.rule] == &rule; });
        if (same) why = "is the object that the rule names, under another name";
    }
    if (why.empty()) return {&rule.rule, false, "does not match"};
    if (const Pattern* exception = rule.exception(path))
        return {&rule.rule, false, "excepted by " + shown(*exception)};
    return {&rule.rule, true, std::move(why)};
}

// Marks built-in refusals that an override sets aside.
void apply_override(Considered& considered, const MergedRule& rule, const MergedRule* overriding) {
    if (!considered.matched || overriding == nullptr || !rule.refuses() || rule.firm()) return;
    considered.matched = false;
    considered.why = "overridden by rule " + overriding->rule.id;
}

Considered fallback(const Policy::Impl& impl, Access access) {
    return {&impl.default_rule(access), true, "holds where no other rule matches"};
}

template <class Show>
std::vector<Considered> consider_each(const Policy::Impl& impl, Access access, Show show) {
    std::vector<Considered> all;
    std::vector<const MergedRule*> rules;
    const MergedRule* overriding = nullptr;
    for (const MergedRule& rule : impl.rules) {
        if (!rule.speaks_of(access)) continue;
        all.push_back({&rule.rule, false, "does not match"});
        rules.push_back(&rule);
        const std::string matched = show(rule.selects);
        if (matched.empty()) continue;
        const std::string exception = show(rule.excepts);
        all.back().matched = exception.empty();
        all.back().why = exception.empty() ? "matches " + matched : "excepted by " + exception;
        if (all.back().matched && rule.override_builtin && overriding == nullptr)
            overriding = &rule;
    }
    for (std::size_t at = 0; at < rules.size(); ++at)
        apply_override(all[at], *rules[at], overriding);
    all.push_back(fallback(impl, access));
    return all;
}

}  // namespace

std::vector<Considered> Policy::consider(Access access, std::string_view path, FileId id,
                                         const Tree& tree) const {
    const Impl& impl = *impl_;
    const Decision decision = decide(access, path, id, tree);
    std::vector<Considered> all;
    const MergedRule* overriding = impl.override_for(access, path);
    for (const MergedRule& rule : impl.rules) {
        if (!rule.speaks_of(access)) continue;
        if (rule.subject != Subject::patterns) {
            const bool decides = decision.rule == &rule.rule;
            all.push_back({&rule.rule, decides,
                           decides ? "is such a part of a git repository"
                                   : "is no such part of a git repository, or refused before"});
            continue;
        }
        all.push_back(consider_path(impl, rule, path, id));
        apply_override(all.back(), rule, overriding);
    }
    if (decision.rule == &impl.ignored) {
        const auto first = std::find_if(all.begin(), all.end(), [](const Considered& each) {
            return each.rule->effect != Effect::deny;
        });
        all.insert(first, {&impl.ignored, true, "matches " + decision.detail});
    }
    all.push_back(fallback(impl, access));
    return all;
}

std::vector<Considered> Policy::consider(Access access, const Endpoint& endpoint) const {
    return consider_each(*impl_, access, [&](const Selection& selection) -> std::string {
        for (const EndpointPattern& pattern : selection.endpoints) {
            if (pattern.matches(endpoint)) return pattern.text();
        }
        return {};
    });
}

std::vector<Considered> Policy::consider_unix(Access access, std::string_view name) const {
    return consider_each(*impl_, access, [&](const Selection& selection) -> std::string {
        if (name.starts_with('@')) {
            for (const AbstractName& pattern : selection.names) {
                if (pattern.glob.matches(name.substr(1))) return pattern.text;
            }
            return {};
        }
        for (const Pattern& pattern : selection.paths) {
            if (pattern.matches(name)) return shown(pattern);
        }
        return {};
    });
}

std::vector<Considered> Policy::consider_outside(Access access) const {
    return consider_each(*impl_, access, [](const Selection& selection) {
        return std::string(selection.everything ? "*" : "");
    });
}

}  // namespace policy
