// From a pattern as a policy writes it to absolute patterns: variables and brace alternatives.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/builtin.h"
#include "policy/glob.h"
#include "policy/pattern.h"

namespace policy {

struct Variables;

/// What each variable of a pattern stands for; several values repeat the pattern, none drops it.
class VariableTable {
  public:
    /// Whether the usual places below each home count besides what the XDG variables say.
    enum class Reach : bool {
        named,       ///< {config} is what XDG_CONFIG_HOME says, else ~/.config.
        everywhere,  ///< And ~/.config of each own home; so for {cache} and {data}. For the
                     ///< built-in rules: {home} is then an own home only, {others} the foreign
                     ///< ones.
    };
    VariableTable(const Variables& variables, Reach reach);

    /// The values of `name`, nullptr when there is no such variable.
    const std::vector<std::string>* find(std::string_view name) const;
    /// Adds what a simple built-in pattern means. For a table that reaches everywhere.
    void add(const BuiltinPattern& pattern, std::vector<Pattern>& patterns) const;
    /// "{workspace} {home} …", for messages.
    static std::string names();

  private:
    struct Entry {
        std::string_view name;
        std::vector<std::string> paths;
        std::vector<std::string> values;  // the paths with glob bytes escaped
    };
    const Entry* entry(std::string_view name) const;

    std::vector<Entry> entries_;
};

/// Expands `{a,b}` alternatives, `{variable}` and a leading `~/`; a text that is not absolute then
/// is relative to {workspace}. At most 1024 results. On failure fills `problem` (offset into
/// `text`). An empty result is no failure.
std::optional<std::vector<std::string>> expand_pattern(std::string_view text,
                                                       const VariableTable& table,
                                                       Glob::Problem& problem);

}  // namespace policy
