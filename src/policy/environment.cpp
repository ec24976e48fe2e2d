// Which environment variables are removed before a command starts.
#include <algorithm>

#include "policy/impl.h"

namespace policy {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same(char pattern, char c) {
    return pattern == '?' || lower(pattern) == lower(c);
}

// Whether the first and the last byte agree, which decides most cases.
bool ends_fit(std::string_view pattern, std::string_view name) {
    if (pattern.empty() || name.empty()) return true;
    return (pattern.back() == '*' || same(pattern.back(), name.back())) &&
           (pattern.front() == '*' || same(pattern.front(), name.front()));
}

template <class Globs>
bool any_matches(const Globs& globs, std::string_view name) {
    return std::any_of(std::begin(globs), std::end(globs), [&](std::string_view glob) {
        return ends_fit(glob, name) && matches_variable(glob, name);
    });
}

}  // namespace

bool matches_variable(std::string_view pattern, std::string_view name) {
    if (!ends_fit(pattern, name)) return false;
    // The rest backtracks to the last star.
    std::size_t at = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    for (std::size_t i = 0; i < name.size();) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            resume = i;
        } else if (at < pattern.size() && same(pattern[at], name[i])) {
            ++at;
            ++i;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            i = ++resume;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*') ++at;
    return at == pattern.size();
}

std::vector<std::string_view> Policy::scrub(const std::vector<std::string_view>& names) const {
    const EnvironmentRules& rules = impl_->environment;
    std::vector<std::string_view> removed;
    for (const std::string_view name : names) {
        const bool builtin = rules.builtin && any_matches(builtin_removed_variables(), name) &&
                             !any_matches(builtin_kept_variables(), name);
        const bool kept = any_matches(rules.kept, name);
        if (any_matches(rules.firmly_removed, name) ||
            (!kept && (builtin || any_matches(rules.removed, name))))
            removed.push_back(name);
    }
    return removed;
}

}  // namespace policy
