// One policy file as data: its schema is checked, its patterns are not yet compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "policy/builtin.h"
#include "policy/load.h"
#include "policy/settings.h"

namespace policy {

/// A place in a policy file, from 1.
struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// A string and where it stands (its opening quote).
struct Text {
    std::string value;
    Place place;
};

/// One [[rule]].
struct DocumentRule {
    Place place;
    Text id;  ///< Made up ("user.rule-2") where the file gives none.
    AccessSet accesses = 0;
    Effect effect = Effect::deny;
    std::vector<Text> patterns;
    std::vector<Text> excepts;
    std::vector<Text> match;
    std::vector<Text> not_match;
    std::string reason;
    std::string group;
    bool override_builtin = false;
    bool locked = false;
};

/// One line of [groups].
struct GroupSwitch {
    Text name;
    bool kept = true;
};

/// One policy file.
struct Document {
    const Source* source = nullptr;
    std::vector<DocumentRule> rules;
    std::vector<GroupSwitch> groups;
    std::vector<Text> removed_variables;
    std::vector<Text> kept_variables;
    std::vector<Text> git_allowed_config;
    std::optional<Text> interpreter;
    std::optional<Text> diagnostics;
};

/// Parses and checks one source. `source` must outlive the result. What only tightening levels may
/// not say is an error.
core::Result<Document> read_document(const Source& source);

/// The Error for a place in a policy file.
core::Error policy_error(const Source& source, Place place, std::string detail, std::string remedy);

/// "'text'", as messages show it.
std::string quote(std::string_view text);

/// The word of `known` nearest to `word`, when it is near enough to be meant; else empty.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace policy
