// The syntax tree of a shell command line: tokens, words, commands, each with the bytes that it
// came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/span.h"

namespace command {

enum class TokenKind : std::uint8_t {
    blank,    ///< Spaces, tabs and escaped newlines between tokens.
    comment,  ///< From '#' to the end of the line.
    newline,
    word,
    descriptor,  ///< The number or {name} before a redirection operator.
    redirect,    ///< '<', '>>', '&>', '<<-' …
    control,     ///< ';', '&&', '|', '(', ';;' …
    arithmetic,  ///< The whole of '((…))'.
    body,        ///< A here-document's lines, the line of its delimiter included.
};

struct Token {
    TokenKind kind = TokenKind::blank;
    core::Span span;
};

struct Script;

enum class PartKind : std::uint8_t {
    literal,
    escape,         ///< A backslash and what it quotes.
    single_quoted,  ///< '…'
    ansi_quoted,    ///< $'…'
    double_quoted,  ///< "…" and $"…"; its expansions are in `parts`.
    parameter,      ///< $x, ${…}; expansions in its operand are in `parts`.
    arithmetic,     ///< $((…))
    substitution,   ///< $(…)
    backtick,       ///< `…`
    process,        ///< <(…) and >(…)
    array,          ///< The (…) of name=(…).
    pattern,        ///< @(…|…) and its like.
};

/// A piece of a word. Command and process substitutions hold exactly one script, others none.
struct Part {
    PartKind kind = PartKind::literal;
    core::Span span;
    std::vector<Part> parts;
    std::vector<Script> scripts;
};

/// Text after quote removal, with the place in the command line that each of its bytes came from.
struct Literal {
    std::string text;
    std::vector<std::uint32_t> at;  ///< As many as bytes in `text`.
};

struct Word {
    core::Span span;
    std::vector<Part> parts;
    /// The value where `constant`; else what is known of its end: all that follows the last
    /// expansion, before tilde, brace and path name expansion.
    Literal literal;
    bool constant = true;  ///< Nothing is left to be expanded.
    bool expands = false;  ///< Holds a parameter, command, process or arithmetic expansion.
    bool quoted = false;   ///< Some of it is quoted.
};

struct Redirection {
    core::Span span;                     ///< Descriptor, operator and target.
    core::Span operation;                ///< The operator.
    std::string op;                      ///< Its text: ">>".
    Word target;                         ///< For a here-document its delimiter.
    std::optional<std::size_t> heredoc;  ///< Index in Script::heredocs.
};

struct Heredoc {
    core::Span span;      ///< Its lines without that of the delimiter; empty when it never came.
    std::size_t end = 0;  ///< After the line of the delimiter.
    Word body;
};

enum class NodeKind : std::uint8_t {
    simple,       ///< assignments, words
    pipeline,     ///< children joined by '|', or one child after '!' or 'time'
    and_or,       ///< children joined by '&&' and '||'
    subshell,     ///< ( children )
    group,        ///< { children; }
    conditional,  ///< if: children are the conditions and bodies, in order
    loop,         ///< while, until, for, select: words are the name and what it runs over
    selection,    ///< case: words[0] is the subject, children are clauses
    clause,       ///< one branch of a case: words are its patterns
    function,     ///< words[0] is the name, children[0] the body
    test,         ///< [[ words ]]
    arithmetic,   ///< (( … )): its expansions are in words[0]
};

struct Node {
    NodeKind kind = NodeKind::simple;
    core::Span
        span;  ///< From the first to the last token, redirections included, here-documents not.
    std::vector<Word> assignments;
    std::vector<Word> words;
    std::vector<Redirection> redirections;
    std::vector<Node> children;
    std::string after;  ///< What joins it to the next one in its parent: ";", "&", "&&", "|", "\n";
                        ///< empty at the end.
};

/// A sequence of commands. Its tokens tile its span without gap or overlap.
struct Script {
    core::Span span;
    std::vector<Token> tokens;
    std::vector<Node> commands;
    std::vector<Heredoc> heredocs;
    bool complete =
        true;  ///< Everything was understood; otherwise the tree is what could be made of it.
};

}  // namespace command
