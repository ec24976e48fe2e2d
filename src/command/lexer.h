// From text to tokens, one at a time; here-documents are read at the line's end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "command/tree.h"

namespace command {

/// Splits `text` into tokens from `begin` on. Every byte passed over is part of exactly one
/// recorded token.
class Lexer {
  public:
    Lexer(std::string_view text, std::size_t begin, unsigned depth)
        : text_(text), pos_(begin), depth_(depth) {}

    bool at_end();
    /// The next token that is neither blank nor comment. Not to be called at the end.
    const Token& peek();
    /// Its text; empty at the end.
    std::string_view peek_text();
    /// Whether the next token is the operator `op`.
    bool next_is(std::string_view op);
    /// The reserved word that comes next, empty when what comes next is none. Only meant for where
    /// a command may begin.
    std::string_view reserved();

    Token take();
    Word take_word();
    /// Takes '((…))' when the next token begins one that is closed; its expansions are the word.
    bool take_arithmetic(Word& expression);

    /// Announces a here-document whose body begins after the next newline; returns its index.
    std::size_t expect_heredoc(const Redirection& redirection);

    std::size_t position() const {
        return taken_;
    }  ///< End of the last token that was taken or passed over.
    bool complete() const { return complete_ && pending_.empty(); }
    std::vector<Token> tokens;
    std::vector<Heredoc> heredocs;

  private:
    struct Pending {
        std::size_t index;
        std::string delimiter;
        bool quoted;
        bool strips_tabs;
    };
    void record(TokenKind kind, std::size_t begin);
    void skip_blanks();
    void scan();
    void scan_operator(std::string_view op, TokenKind kind);
    void scan_word();
    void read_bodies();
    void read_body(const Pending& pending);

    std::string_view text_;
    std::size_t pos_;
    std::size_t taken_ = 0;
    unsigned depth_;
    bool complete_ = true;
    bool scanned_ = false;
    bool command_place_ = true;  ///< The next word may be the first of a command.
    Token next_;
    Word word_;
    std::vector<Pending> pending_;
};

}  // namespace command
