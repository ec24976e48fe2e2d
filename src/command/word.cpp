// Words: quoting, expansions, and the value of what needs no expansion.
#include "command/word.h"

#include <utility>

#include "command/ascii.h"
#include "command/parser.h"

namespace command {

namespace {

constexpr char quoted_byte = '\x01';

bool ends_word(char c) {
    return std::string_view(" \t\n;&|<>()").find(c) != std::string_view::npos;
}

bool has_braces(std::string_view shape) {
    const std::size_t open = shape.find('{');
    if (open == std::string_view::npos) return false;
    const std::size_t close = shape.rfind('}');
    if (close == std::string_view::npos || close < open) return false;
    const std::string_view inside = shape.substr(open + 1, close - open - 1);
    return inside.find(',') != std::string_view::npos ||
           inside.find("..") != std::string_view::npos;
}

bool has_glob(std::string_view shape) {
    if (shape.find_first_of("*?") != std::string_view::npos) return true;
    const std::size_t open = shape.find('[');
    return open != std::string_view::npos && shape.find(']', open + 1) != std::string_view::npos;
}

}  // namespace

std::size_t arithmetic_end(std::string_view text, std::size_t begin) {
    unsigned open = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\') {
            ++i;
        } else if (c == '\'' || c == '"') {
            i = text.find(c, i + 1);
            if (i == std::string_view::npos) return i;
        } else if (c == '(') {
            ++open;
        } else if (c == ')') {
            if (open > 0) {
                --open;
            } else {
                return i + 1 < text.size() && text[i + 1] == ')' ? i : std::string_view::npos;
            }
        }
    }
    return std::string_view::npos;
}

void WordReader::keep(char byte, std::size_t at, bool quoted) {
    literal_.text += byte;
    literal_.at.push_back(static_cast<std::uint32_t>(at));
    shape_ += quoted ? quoted_byte : byte;
}

void WordReader::forget() {
    expands_ = true;
    literal_ = {};
    shape_.clear();
}

Word WordReader::word(Place place) {
    Word word;
    const std::size_t begin = pos_;
    while (more()) {
        const char c = peek();
        if ((c == '<' || c == '>') && peek(1) == '(') {
            substitution(word.parts, PartKind::process);
        } else if (c == '(' && array_follows(word.parts)) {
            enclosed(word.parts, PartKind::array, 1);
        } else if (std::string_view("?*+@!").find(c) != std::string_view::npos && peek(1) == '(' &&
                   !(c == '!' && pos_ == begin && place == Place::command)) {
            enclosed(word.parts, PartKind::pattern, 2);
        } else if (ends_word(c)) {
            break;
        } else {
            unquoted(word.parts);
        }
    }
    finish(word, begin);
    return word;
}

Word WordReader::body() {
    Word word;
    const std::size_t begin = pos_;
    while (more()) {
        if (peek() == '\\' && pos_ + 1 < text_.size()) {
            pos_ += 2;
        } else if (!expansion(word.parts, '"')) {
            ++pos_;
        }
    }
    literal_ = {};
    finish(word, begin);
    word.constant = false;
    return word;
}

Word WordReader::expression() {
    return body();
}

void WordReader::finish(Word& word, std::size_t begin) {
    word.span = {begin, pos_};
    word.expands = expands_;
    word.quoted = quoted_;
    word.constant = !expands_ && !has_glob(shape_) && !has_braces(shape_) &&
                    !(shape_.size() > 0 && shape_[0] == '~');
    word.literal = std::move(literal_);
}

bool WordReader::array_follows(const std::vector<Part>& parts) const {
    if (parts.size() != 1 || parts[0].kind != PartKind::literal) return false;
    std::string_view name = text_.substr(parts[0].span.begin, parts[0].span.size());
    if (name.empty() || name.back() != '=') return false;
    name.remove_suffix(1);
    if (!name.empty() && name.back() == '+') name.remove_suffix(1);
    return is_name(name);
}

void WordReader::unquoted(std::vector<Part>& parts) {
    const char c = peek();
    if (c == '\\') return escape(parts);
    if (c == '\'') return single_quoted(parts);
    if (c == '"') return double_quoted(parts, 1);
    if (c == '$' && peek(1) == '\'') return ansi_quoted(parts);
    if (c == '$' && peek(1) == '"') return double_quoted(parts, 2);
    if (expansion(parts, '\0')) return;
    if (parts.empty() || parts.back().kind != PartKind::literal || parts.back().span.end != pos_) {
        parts.push_back({PartKind::literal, {pos_, pos_}, {}, {}});
    }
    keep(c, pos_, false);
    parts.back().span.end = ++pos_;
}

void WordReader::escape(std::vector<Part>& parts) {
    const std::size_t begin = pos_++;
    quoted_ = true;
    if (!more()) {
        keep(begin);
    } else {
        if (peek() != '\n') keep(pos_);
        ++pos_;
    }
    parts.push_back({PartKind::escape, {begin, pos_}, {}, {}});
}

void WordReader::single_quoted(std::vector<Part>& parts) {
    const std::size_t begin = pos_++;
    quoted_ = true;
    while (more() && peek() != '\'') keep(pos_++);
    more() ? ++pos_ : complete_ = false;
    parts.push_back({PartKind::single_quoted, {begin, pos_}, {}, {}});
}

void WordReader::double_quoted(std::vector<Part>& parts, std::size_t prefix) {
    Part part{PartKind::double_quoted, {pos_, pos_}, {}, {}};
    pos_ += prefix;
    quoted_ = true;
    while (more() && peek() != '"') {
        if (peek() == '\\' &&
            std::string_view("$`\"\\\n").find(peek(1)) != std::string_view::npos &&
            peek(1) != '\0') {
            if (peek(1) != '\n') keep(pos_ + 1);
            pos_ += 2;
        } else if (!expansion(part.parts, '"')) {
            keep(pos_++);
        }
    }
    more() ? ++pos_ : complete_ = false;
    part.span.end = pos_;
    parts.push_back(std::move(part));
}

bool WordReader::expansion(std::vector<Part>& parts, char quote) {
    if (peek() == '`') {
        backtick(parts, quote);
        return true;
    }
    if (peek() != '$') return false;
    const char next = peek(1);
    if (next == '(') {
        if (peek(2) == '(' && arithmetic(parts)) return true;
        substitution(parts, PartKind::substitution);
        return true;
    }
    if (next == '{') {
        parameter(parts, quote);
        return true;
    }
    const bool special =
        next != '\0' && std::string_view("@*#?-$!").find(next) != std::string_view::npos;
    if (!special && !is_name_byte(next)) return false;
    const std::size_t begin = pos_;
    pos_ += 2;
    if (is_name_byte(next) && !is_digit(next)) {
        while (is_name_byte(peek())) ++pos_;
    }
    parts.push_back({PartKind::parameter, {begin, pos_}, {}, {}});
    forget();
    return true;
}

void WordReader::parameter(std::vector<Part>& parts, char quote) {
    Part part{PartKind::parameter, {pos_, pos_}, {}, {}};
    pos_ += 2;
    if (depth_ >= max_depth) {
        complete_ = false;
        part.span.end = pos_;
        parts.push_back(std::move(part));
        return forget();
    }
    ++depth_;
    while (more() && peek() != '}') {
        const char c = peek();
        if (c == '\\') {
            escape(part.parts);
        } else if (c == '"') {
            double_quoted(part.parts, 1);
        } else if (c == '\'' && quote == '\0') {
            single_quoted(part.parts);
        } else if (!expansion(part.parts, quote)) {
            ++pos_;
        }
    }
    --depth_;
    more() ? ++pos_ : complete_ = false;
    part.span.end = pos_;
    parts.push_back(std::move(part));
    forget();
}

bool WordReader::arithmetic(std::vector<Part>& parts) {
    if (depth_ >= max_depth) return false;
    const std::size_t end = arithmetic_end(text_, pos_ + 3);
    if (end == std::string_view::npos) return false;
    WordReader inner(text_.substr(0, end), pos_ + 3, depth_ + 1);
    Word expression = inner.expression();
    complete_ = complete_ && inner.complete();
    parts.push_back({PartKind::arithmetic, {pos_, end + 2}, std::move(expression.parts), {}});
    pos_ = end + 2;
    forget();
    return true;
}

void WordReader::substitution(std::vector<Part>& parts, PartKind kind) {
    Part part{kind, {pos_, pos_ + 2}, {}, {}};
    pos_ += 2;
    if (depth_ >= max_depth) {
        complete_ = false;
    } else {
        part.scripts.push_back(parse_from(text_, pos_, Close::parenthesis, depth_ + 1));
        pos_ = part.scripts[0].span.end;
        complete_ = complete_ && part.scripts[0].complete;
        peek() == ')' ? ++pos_ : complete_ = false;
        part.span.end = pos_;
    }
    parts.push_back(std::move(part));
    forget();
}

void WordReader::backtick(std::vector<Part>& parts, char quote) {
    Part part{PartKind::backtick, {pos_, pos_}, {}, {}};
    ++pos_;
    Literal inner;
    while (more() && peek() != '`') {
        const char next = peek(1);
        const bool quotes = peek() == '\\' && (next == '$' || next == '`' || next == '\\' ||
                                               (next == '"' && quote == '"'));
        if (quotes) ++pos_;
        inner.text += peek();
        inner.at.push_back(static_cast<std::uint32_t>(pos_++));
    }
    if (depth_ < max_depth) {
        part.scripts.push_back(parse_mapped(inner, pos_, depth_ + 1));
        complete_ = complete_ && part.scripts[0].complete;
    } else {
        complete_ = false;
    }
    more() ? ++pos_ : complete_ = false;
    part.span.end = pos_;
    parts.push_back(std::move(part));
    forget();
}

void WordReader::enclosed(std::vector<Part>& parts, PartKind kind, std::size_t prefix) {
    Part part{kind, {pos_, pos_}, {}, {}};
    pos_ += prefix;
    for (unsigned open = 1; more() && open > 0;) {
        const char c = peek();
        if (c == '(' || c == ')') {
            c == '(' ? ++open : --open;
            ++pos_;
        } else if (kind == PartKind::array && c == '#' && is_blank(text_[pos_ - 1])) {
            while (more() && peek() != '\n') ++pos_;
        } else if ((c == '<' || c == '>') && peek(1) == '(') {
            substitution(part.parts, PartKind::process);
        } else {
            unquoted(part.parts);
        }
        if (open > 0 && !more()) complete_ = false;
    }
    part.span.end = pos_;
    parts.push_back(std::move(part));
    forget();
}

void WordReader::ansi_quoted(std::vector<Part>& parts) {
    const std::size_t begin = pos_;
    pos_ += 2;
    quoted_ = true;
    while (more() && peek() != '\'') {
        peek() == '\\' && pos_ + 1 < text_.size() ? ansi_escape() : keep(pos_++);
    }
    more() ? ++pos_ : complete_ = false;
    parts.push_back({PartKind::ansi_quoted, {begin, pos_}, {}, {}});
}

void WordReader::ansi_escape() {
    static constexpr std::string_view names = "abeEfnrtv\\'\"?";
    static constexpr std::string_view bytes = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?";
    const std::size_t at = pos_++;
    const char kind = text_[pos_++];
    if (const std::size_t i = names.find(kind); i != std::string_view::npos)
        return keep(bytes[i], at);
    const auto number = [&](int base, int limit) {
        std::uint32_t value = 0;
        for (int n = 0; n < limit && digit_value(peek()) < base; ++n, ++pos_) {
            value = value * static_cast<std::uint32_t>(base) +
                    static_cast<std::uint32_t>(digit_value(peek()));
        }
        return value;
    };
    const auto hexadecimal = [&] { return digit_value(peek()) < 16; };
    if (kind == 'x' && hexadecimal()) return keep(static_cast<char>(number(16, 2)), at);
    if ((kind == 'u' || kind == 'U') && hexadecimal()) {
        for (const char byte : utf8(number(16, kind == 'u' ? 4 : 8))) keep(byte, at);
        return;
    }
    if (kind == 'c' && more()) return keep(static_cast<char>(text_[pos_++] & 0x1f), at);
    if (kind >= '0' && kind <= '7') {
        --pos_;
        return keep(static_cast<char>(number(8, 3) & 0xff), at);
    }
    keep('\\', at);
    keep(kind, at + 1);
}

}  // namespace command
