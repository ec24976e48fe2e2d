// All simple commands and redirections of a command line, those nested in substitutions and quoted
// scripts included.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/tree.h"
#include "core/span.h"

namespace command {

/// A word as far as it can be told without running anything.
struct Argument {
    core::Span span;
    std::optional<std::string> value;  ///< Its value, when nothing is left to be expanded.
    std::string tail;                  ///< Else what is known of its end; see Word::literal.
    bool expands = false;  ///< `tail` follows an expansion, so that it may be a part of a name.
};

struct RedirectionSite {
    core::Span span;
    std::string op;
    Argument target;
    core::Span owner;  ///< The command that it belongs to, redirections included.
    bool heredoc = false;
};

struct SimpleCommand {
    core::Span span;  ///< Assignments, words and redirections; here-documents not.
    std::vector<Argument> words;
    bool assigns = false;  ///< Assignments stand before the words.
    bool redirects = false;
    bool verbatim = true;  ///< The text of the span is what runs, not a quoted form of it.
    bool heredoc = false;
    std::size_t end = 0;  ///< After its last here-document, `span.end` without one.
};

struct Outline {
    std::vector<SimpleCommand> commands;        ///< In the order of their beginnings.
    std::vector<RedirectionSite> redirections;  ///< Likewise.
    bool complete = true;
};

/// Parses `text` and lists what it runs. Scripts given as constant operands to `eval` and `sh -c`
/// are looked into, with spans that point into the operand as it is written. All spans are of
/// `text`.
Outline outline(std::string_view text);

}  // namespace command
