// The built-in policy as a table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "policy/policy.h"

namespace policy {

/// A set of accesses: bit `1 << int(access)`.
using AccessSet = std::uint16_t;
constexpr AccessSet set_of(Access access) {
    return static_cast<AccessSet>(1U << static_cast<unsigned>(access));
}

/// What a rule's patterns speak of; where it is not `patterns`, code finds out what the object is.
enum class Subject : std::uint8_t {
    patterns,
    git_hook,
    git_config,
    git_attributes,
    git_pointer,
};

/// Who else keeps what a rule refuses.
enum class Keeper : std::uint8_t {
    nobody,
    file_modes,  ///< The owners of the machine's secrets: they are readable for root alone.
};

/// One row of the built-in policy. Patterns are written as in a policy file.
struct BuiltinRule {
    std::string_view id;
    Effect effect;
    AccessSet accesses;
    std::string_view group;  ///< The name that `[groups]` knows it by; empty: it cannot be dropped.
    std::string_view reason;
    std::span<const std::string_view> patterns;
    std::span<const std::string_view> excepts;
    Subject subject = Subject::patterns;
    Keeper keeper = Keeper::nobody;
};

/// The rules, protective and permitting.
std::span<const BuiltinRule> builtin_rules();

/// The rule for an access that no other rule speaks of; `reason` is empty where it is made at load.
struct BuiltinDefault {
    Access access;
    Effect effect;
    std::string_view id;
    std::string_view reason;
};
std::span<const BuiltinDefault> builtin_defaults();

/// Globs of names of environment variables that are removed, and of those among them that stay.
std::span<const std::string_view> builtin_removed_variables();
std::span<const std::string_view> builtin_kept_variables();

/// Groups that can be dropped, and whether dropping one takes protection away.
struct Group {
    std::string_view name;
    bool protects;
    std::string_view meaning;
};
std::span<const Group> builtin_groups();

}  // namespace policy
