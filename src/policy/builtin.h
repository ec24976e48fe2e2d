// The built-in policy as a table.
#pragma once

#include <cstdint>
#include <iterator>
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

/// The variables of patterns, in the order of VariableTable.
enum class Variable : std::uint8_t {
    workspace,
    home,
    tmp,
    cache,
    config,
    data,
    state,
    runtime,
    gitruns,
    others,  ///< In built-in patterns only.
    none,
};
inline constexpr std::string_view variable_names[] = {
    "workspace", "home", "tmp", "cache", "config", "data", "state", "runtime", "gitruns", "others"};

/// A pattern of the table, as it is written in a policy file, taken apart by the compiler.
class BuiltinPattern {
  public:
    constexpr BuiltinPattern(const char* text) : text_(text) {
        const std::string_view whole(text);
        length_ = static_cast<std::uint16_t>(whole.size());
        if (whole.starts_with('{')) rest_ = static_cast<std::uint8_t>(whole.find('}') + 1);
        for (std::size_t i = 0; rest_ > 0 && i < std::size(variable_names); ++i) {
            if (variable_names[i] == whole.substr(1, rest_ - 2U))
                variable_ = static_cast<Variable>(i);
        }
        const bool known = (rest_ > 0) == (variable_ != Variable::none);
        simple_ = known && (rest().empty() || rest().starts_with('/')) &&
                  rest().find('{') == std::string_view::npos;
        plain_ = simple_ && rest().find_first_of("*?[]\\") == std::string_view::npos;
    }
    constexpr operator std::string_view() const { return {text_, length_}; }
    /// The variable that it begins with.
    constexpr Variable variable() const { return variable_; }
    /// What follows the variable.
    constexpr std::string_view rest() const {
        return {text_ + rest_, static_cast<std::size_t>(length_ - rest_)};
    }
    /// Whether the rest is empty or absolute and without variables and alternatives.
    constexpr bool is_simple() const { return simple_; }
    /// Whether the rest is without wildcards, too.
    constexpr bool is_plain() const { return plain_; }

  private:
    const char* text_;
    std::uint16_t length_ = 0;
    std::uint8_t rest_ = 0;
    Variable variable_ = Variable::none;
    bool simple_ = false;
    bool plain_ = false;
};

/// One row of the built-in policy. Patterns are written as in a policy file.
struct BuiltinRule {
    std::string_view id;
    Effect effect;
    AccessSet accesses;
    std::string_view group;  ///< The name that `[groups]` knows it by; empty: it cannot be dropped.
    std::string_view reason;
    std::span<const BuiltinPattern> patterns;
    std::span<const BuiltinPattern> excepts;
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
