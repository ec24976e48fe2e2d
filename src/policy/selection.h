// From the texts of a rule's patterns to what they select.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "policy/document.h"
#include "policy/expand.h"
#include "policy/impl.h"

namespace policy {

/// Compiles patterns with the variables of one load. Errors name the place in the pattern.
class SelectionReader {
  public:
    /// `variables` must outlive it.
    explicit SelectionReader(const Variables& variables);

    /// Adds to `selection` what the patterns of a rule for `accesses` (of one realm) select.
    core::Result<void> read(const Source& source, const std::vector<Text>& texts,
                            AccessSet accesses, Selection& selection) const;
    /// The same for patterns of the built-in table, which cannot fail.
    void read_builtin(std::span<const BuiltinPattern> patterns, AccessSet accesses,
                      Selection& selection);
    /// Whether the examples of `written` hold for `rule`, its compiled form. One whose variables
    /// have no value holds.
    core::Result<void> check_examples(const Source& source, const DocumentRule& written,
                                      const MergedRule& rule) const;

  private:
    core::Result<void> read_one(const Source& source, const Text& text, AccessSet accesses,
                                Selection& selection) const;
    core::Result<std::optional<bool>> selects(const Source& source, const Text& example,
                                              const MergedRule& rule) const;

    const VariableTable& named() const;

    const Variables& variables_;
    mutable std::optional<VariableTable> named_;  ///< Made for the first rule that is read.
    VariableTable everywhere_;
    std::vector<Pattern> simple_;  ///< Of the rule being read, so that its own list fits exactly.
};

}  // namespace policy
