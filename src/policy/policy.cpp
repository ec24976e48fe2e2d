// The parts of a policy that only hand out what was merged.
#include "policy/policy.h"

#include <utility>

#include "policy/impl.h"

namespace policy {

std::string Origin::text() const {
    if (file.empty()) return "built in";
    return line == 0 ? file : file + ":" + std::to_string(line);
}

Realm realm_of(Access access) {
    switch (access) {
        case Access::read:
        case Access::write:
        case Access::execute:
        case Access::unix_connect:
        case Access::unix_bind:
            return Realm::paths;
        case Access::connect:
        case Access::bind:
            return Realm::endpoints;
        case Access::signal:
        case Access::inspect:
        case Access::ipc:
        case Access::kernel:
            return Realm::nothing;
    }
    return Realm::nothing;
}

const Pattern* MergedRule::exception(std::string_view path) const {
    for (const Pattern& pattern : excepts.paths) {
        if (pattern.matches(path)) return &pattern;
    }
    return nullptr;
}

std::string_view Policy::Impl::root_of(std::string_view path) const {
    std::string_view longest;
    for (const std::string& root : workspaces) {
        if (lies_within(path, root) && root.size() > longest.size()) longest = root;
    }
    return longest;
}

const MergedRule* Policy::Impl::override_for(Access access, std::string_view path) const {
    for (const std::uint32_t index : overrides) {
        const MergedRule& rule = rules[index];
        if (!rule.speaks_of(access) || rule.exception(path) != nullptr) continue;
        for (const Pattern& pattern : rule.selects.paths) {
            if (pattern.matches(path)) return &rule;
        }
    }
    return nullptr;
}

Policy::Policy(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Policy::~Policy() = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;

ReadMode Policy::read_mode() const {
    return impl_->read_mode;
}

const std::string& Policy::workspace() const {
    return impl_->workspace;
}

const Settings& Policy::settings() const {
    return impl_->settings;
}

std::vector<std::string> Policy::writable_roots() const {
    std::vector<std::string> roots;
    for (const MergedRule& rule : impl_->rules) {
        if (rule.refuses() || !rule.speaks_of(Access::write)) continue;
        for (const Pattern& pattern : rule.selects.paths) {
            if (pattern.is_literal())
                roots.push_back(pattern.prefix().empty() ? "/" : pattern.prefix());
        }
    }
    return roots;
}

}  // namespace policy
