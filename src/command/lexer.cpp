// Tokens of the shell's language.
#include "command/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "command/ascii.h"
#include "command/word.h"

namespace command {

namespace {

struct Operator {
    std::string_view text;
    TokenKind kind;
};

/// Longest first, so that the first that fits is the right one.
constexpr std::array operators{
    Operator{"&>>", TokenKind::redirect}, Operator{"<<<", TokenKind::redirect},
    Operator{"<<-", TokenKind::redirect}, Operator{";;&", TokenKind::control},
    Operator{"&>", TokenKind::redirect},  Operator{"&&", TokenKind::control},
    Operator{"||", TokenKind::control},   Operator{"|&", TokenKind::control},
    Operator{";;", TokenKind::control},   Operator{";&", TokenKind::control},
    Operator{"<<", TokenKind::redirect},  Operator{"<&", TokenKind::redirect},
    Operator{"<>", TokenKind::redirect},  Operator{">>", TokenKind::redirect},
    Operator{">&", TokenKind::redirect},  Operator{">|", TokenKind::redirect},
    Operator{"<", TokenKind::redirect},   Operator{">", TokenKind::redirect},
    Operator{"&", TokenKind::control},    Operator{"|", TokenKind::control},
    Operator{";", TokenKind::control},    Operator{"(", TokenKind::control},
    Operator{")", TokenKind::control},
};

constexpr std::array<std::string_view, 22> reserved_words{
    "if",   "then",   "elif",     "else", "fi", "while", "until", "for",  "do", "done",   "case",
    "esac", "select", "function", "{",    "}",  "[[",    "!",     "time", "in", "coproc", "]]"};

/// A number, or a {name}, as it may stand before a redirection operator.
bool is_descriptor(std::string_view word) {
    if (word.size() > 2 && word.front() == '{' && word.back() == '}') {
        return is_name(word.substr(1, word.size() - 2));
    }
    return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

}  // namespace

void Lexer::record(TokenKind kind, std::size_t begin) {
    if (pos_ > begin) tokens.push_back({kind, {begin, pos_}});
}

void Lexer::skip_blanks() {
    const std::size_t begin = pos_;
    for (;;) {
        const std::string_view rest = text_.substr(pos_, 2);
        if (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) {
            ++pos_;
        } else if (rest == "\\\n") {
            pos_ += 2;
        } else {
            break;
        }
    }
    record(TokenKind::blank, begin);
    if (pos_ < text_.size() && text_[pos_] == '#') {
        const std::size_t comment = pos_;
        pos_ = std::min(text_.find('\n', pos_), text_.size());
        record(TokenKind::comment, comment);
    }
    taken_ = std::max(taken_, pos_);
}

bool Lexer::at_end() {
    if (scanned_) return false;
    skip_blanks();
    return pos_ >= text_.size();
}

const Token& Lexer::peek() {
    if (!scanned_) scan();
    return next_;
}

std::string_view Lexer::peek_text() {
    if (at_end()) return {};
    const core::Span span = peek().span;
    return text_.substr(span.begin, span.size());
}

bool Lexer::next_is(std::string_view op) {
    return peek_text() == op && peek().kind != TokenKind::word;
}

std::string_view Lexer::reserved() {
    if (at_end() || peek().kind != TokenKind::word || word_.quoted || word_.expands) return {};
    const std::string_view text = peek_text();
    return std::find(reserved_words.begin(), reserved_words.end(), text) != reserved_words.end()
               ? text
               : std::string_view();
}

void Lexer::scan() {
    skip_blanks();
    scanned_ = true;
    const std::size_t begin = pos_;
    const std::string_view rest = text_.substr(pos_);
    if (rest[0] == '\n') {
        ++pos_;
        next_ = {TokenKind::newline, {begin, pos_}};
        command_place_ = true;
        return;
    }
    const bool process = (rest[0] == '<' || rest[0] == '>') && rest.size() > 1 && rest[1] == '(';
    if (!process) {
        for (const Operator& op : operators) {
            if (rest.substr(0, op.text.size()) == op.text) return scan_operator(op.text, op.kind);
        }
    }
    scan_word();
}

void Lexer::scan_operator(std::string_view op, TokenKind kind) {
    // `cat <<<(x)` and `a>>(b)` aside, an operator never swallows the '<' of a process
    // substitution: `< <(x)`.
    next_ = {kind, {pos_, pos_ + op.size()}};
    pos_ += op.size();
    if (kind == TokenKind::control) command_place_ = true;
}

void Lexer::scan_word() {
    WordReader reader(text_, pos_, depth_);
    word_ = reader.word(command_place_ ? Place::command : Place::argument);
    complete_ = complete_ && reader.complete();
    pos_ = reader.position();
    next_ = {TokenKind::word, word_.span};
    const bool operator_follows = pos_ < text_.size() && (text_[pos_] == '<' || text_[pos_] == '>');
    if (operator_follows && is_descriptor(text_.substr(word_.span.begin, word_.span.size()))) {
        next_.kind = TokenKind::descriptor;
    } else {
        command_place_ = command_place_ && !reserved().empty();
    }
}

Token Lexer::take() {
    const Token token = peek();
    scanned_ = false;
    tokens.push_back(token);
    taken_ = pos_ = token.span.end;
    if (token.kind == TokenKind::newline) read_bodies();
    return token;
}

Word Lexer::take_word() {
    peek();
    Word word = std::move(word_);
    take();
    return word;
}

bool Lexer::take_arithmetic(Word& expression) {
    if (!next_is("(")) return false;
    const std::size_t begin = peek().span.begin;
    if (text_.substr(begin, 2) != "((") return false;
    const std::size_t end = arithmetic_end(text_, begin + 2);
    if (end == std::string_view::npos) return false;
    WordReader reader(text_.substr(0, end), begin + 2, depth_);
    expression = reader.expression();
    complete_ = complete_ && reader.complete();
    next_ = {TokenKind::arithmetic, {begin, end + 2}};
    take();
    return true;
}

std::size_t Lexer::expect_heredoc(const Redirection& redirection) {
    const Word& target = redirection.target;
    std::string delimiter = target.quoted && !target.expands
                                ? target.literal.text
                                : std::string(text_.substr(target.span.begin, target.span.size()));
    heredocs.emplace_back();
    pending_.push_back(
        {heredocs.size() - 1, std::move(delimiter), target.quoted, redirection.op == "<<-"});
    return heredocs.size() - 1;
}

void Lexer::read_bodies() {
    const std::vector<Pending> pending = std::exchange(pending_, {});
    for (const Pending& each : pending) read_body(each);
    taken_ = pos_;
}

void Lexer::read_body(const Pending& pending) {
    const std::size_t begin = pos_;
    std::size_t end = text_.size();
    bool found = false;
    while (pos_ < text_.size() && !found) {
        const std::size_t line_end = std::min(text_.find('\n', pos_), text_.size());
        std::string_view line = text_.substr(pos_, line_end - pos_);
        if (pending.strips_tabs)
            line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
        found = line == pending.delimiter;
        if (found) end = pos_;
        pos_ = std::min(line_end + 1, text_.size());
    }
    complete_ = complete_ && found;
    Heredoc& heredoc = heredocs[pending.index];
    heredoc.span = {begin, end};
    heredoc.end = pos_;
    if (!pending.quoted) {
        WordReader reader(text_.substr(0, end), begin, depth_);
        heredoc.body = reader.body();
        complete_ = complete_ && reader.complete();
    }
    heredoc.body.span = heredoc.span;
    record(TokenKind::body, begin);
}

}  // namespace command
