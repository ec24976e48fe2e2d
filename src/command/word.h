// Reads one word, or the body of a here-document: quoting and expansions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "command/tree.h"

namespace command {

/// Whether a word stands where a command may begin; there '!' before '(' negates and does not begin
/// a pattern.
enum class Place : bool { command, argument };

class WordReader {
  public:
    /// Reads in `text` from `begin` on. `depth` is the nesting that `begin` is in.
    WordReader(std::string_view text, std::size_t begin, unsigned depth)
        : text_(text), pos_(begin), depth_(depth) {}

    /// The word at `begin`, up to a blank or an operator. Empty when there is none.
    Word word(Place place);
    /// The text from `begin` to the end as the body of a here-document whose delimiter is not
    /// quoted.
    Word body();
    /// The text from `begin` to the end as an arithmetic expression.
    Word expression();

    std::size_t position() const { return pos_; }  ///< After what was read.
    bool complete() const { return complete_; }

  private:
    bool more() const { return pos_ < text_.size(); }
    char peek(std::size_t ahead = 0) const {
        return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
    }
    void keep(std::size_t at) { keep(text_[at], at); }
    void keep(char byte, std::size_t at, bool quoted = true);
    void forget();

    void unquoted(std::vector<Part>& parts);
    void escape(std::vector<Part>& parts);
    void single_quoted(std::vector<Part>& parts);
    void double_quoted(std::vector<Part>& parts, std::size_t prefix);
    void ansi_quoted(std::vector<Part>& parts);
    void ansi_escape();
    bool expansion(std::vector<Part>& parts, char quote);
    void parameter(std::vector<Part>& parts, char quote);
    bool arithmetic(std::vector<Part>& parts);
    void substitution(std::vector<Part>& parts, PartKind kind);
    void backtick(std::vector<Part>& parts, char quote);
    void enclosed(std::vector<Part>& parts, PartKind kind, std::size_t prefix);
    bool array_follows(const std::vector<Part>& parts) const;
    void finish(Word& word, std::size_t begin);

    std::string_view text_;
    std::size_t pos_;
    unsigned depth_;
    bool complete_ = true;
    bool expands_ = false;
    bool quoted_ = false;
    Literal literal_;
    std::string shape_;  ///< As literal_.text, quoted bytes replaced by 0x01.
};

/// Where the '((' whose content begins at `begin` is closed: the place of its '))'; npos when it is
/// none.
std::size_t arithmetic_end(std::string_view text, std::size_t begin);

}  // namespace command
