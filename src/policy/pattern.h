// A path pattern: components of a path as an automaton whose states tell what can match below a
// directory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/glob.h"

namespace policy {

/// A compiled, absolute path pattern without variables or braces. It matches a path, and with it
/// everything below that path. Immutable. Paths given to it are absolute and canonical.
class Pattern {
  public:
    /// How far a path has come through the pattern. Two paths with equal states have equal
    /// descendants: whatever suffix is appended to both, the pattern matches either both or
    /// neither.
    struct State {
        std::uint32_t prefix =
            0;                   ///< Bytes of the literal prefix matched so far, while `rest` is 0.
        std::uint64_t rest = 0;  ///< Set of components reached after the prefix.
        friend bool operator==(const State&, const State&) = default;
    };
    /// What a path is to the pattern.
    enum class Fit : std::uint8_t {
        none,   ///< Neither the path nor anything below it can match.
        below,  ///< Something below the path can match; the path itself does not.
        match,  ///< The path matches, and so does all below it.
    };

    /// Compiles one pattern; `**` crosses components, `.` and empty components vanish, `..` is a
    /// problem. A trailing
    /// `/**` means everything below and not the directory itself. Takes any length up to 4096
    /// bytes.
    static std::optional<Pattern> compile(std::string_view text, Glob::Problem& problem);
    /// The pattern that names exactly `path` (and all below it), whatever bytes it has.
    static Pattern literal(std::string path);
    /// The same for `directory` ("" for the root) and what follows it.
    static Pattern literal(std::string_view directory, std::string_view rest);

    /// The state of a whole path.
    State state(std::string_view path) const;
    /// The state of `component` below a directory in state `from`.
    State advance(State from, std::string_view component) const;
    Fit fit(State state) const;
    Fit fit(std::string_view path) const { return fit(state(path)); }
    bool matches(std::string_view path) const { return fit(path) == Fit::match; }

    /// Whether it names one path and its tree.
    bool is_literal() const { return tail_ == nullptr; }
    /// Whether which children of a directory match can be told by their names alone: it is literal,
    /// or a literal directory followed by `/**`.
    bool is_decidable() const;
    /// The leading components that have no wildcard: "/home/u/.ssh"; "" for the root.
    const std::string& prefix() const { return prefix_; }
    /// A component that each matching path has, empty when there is none to name.
    std::string_view key() const;
    /// The same pattern below the literal directory `base` ("" for the root).
    Pattern below(std::string_view base) const;
    /// The same pattern with the leading directory `from` replaced by `to`; nothing when it is not
    /// below `from`.
    std::optional<Pattern> moved(std::string_view from, std::string_view to) const;
    /// The pattern as text, for people.
    std::string text() const;

  private:
    enum class Kind : std::uint8_t { literal, any, globstar, glob };
    struct Component {
        Kind kind;
        std::string literal;
        std::unique_ptr<const Glob> glob;
    };
    using Components = std::vector<Component>;
    /// What follows the literal beginning; patterns that differ in that alone share it.
    struct Tail {
        Components components;
        std::string text;
    };

    bool add(std::string_view component, Components& rest, Glob::Problem& problem);
    static bool accepts(const Component& component, std::string_view name);
    std::uint64_t closure(std::uint64_t states) const;
    std::size_t size() const { return tail_ == nullptr ? 0 : tail_->components.size(); }
    std::uint64_t final() const { return std::uint64_t{1} << size(); }

    std::string prefix_;
    std::shared_ptr<const Tail> tail_;  // null for a literal path
};

/// Whether `path` is `directory` or lies below it. Both without a trailing slash; "" and "/" are
/// the root.
bool lies_within(std::string_view path, std::string_view directory);

}  // namespace policy
