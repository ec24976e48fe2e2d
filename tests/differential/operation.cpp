// Reading and writing the text form.
#include "operation.h"

#include <cstdlib>

namespace differential {
namespace {

bool is_printable(unsigned char byte) {
    return byte >= 0x20 && byte < 0x7f;
}

/// Takes what `\{N:TEXT}` stands for from the front of `rest`, which begins after the brace.
bool expand_repetition(std::string_view& rest, std::string& into) {
    const std::size_t colon = rest.find(':');
    const std::size_t end = rest.find('}');
    if (colon == std::string_view::npos || end == std::string_view::npos || end < colon)
        return false;
    const long count = std::strtol(std::string(rest.substr(0, colon)).c_str(), nullptr, 10);
    const std::string_view text = rest.substr(colon + 1, end - colon - 1);
    for (long i = 0; i < count; ++i) into += text;
    rest.remove_prefix(end + 1);
    return true;
}

/// Takes a text from the front of `rest`, which begins after the quote.
bool take_text(std::string_view& rest, std::string_view top, std::string& into) {
    while (!rest.empty()) {
        const char byte = rest.front();
        rest.remove_prefix(1);
        if (byte == '"') return true;
        if (byte == '%') {
            into += top;
        } else if (byte != '\\') {
            into += byte;
        } else if (rest.empty()) {
            return false;
        } else if (rest.front() == 'x' && rest.size() >= 3) {
            into +=
                static_cast<char>(std::strtol(std::string(rest.substr(1, 2)).c_str(), nullptr, 16));
            rest.remove_prefix(3);
        } else if (rest.front() == '{') {
            rest.remove_prefix(1);
            if (!expand_repetition(rest, into)) return false;
        } else {
            into += rest.front();
            rest.remove_prefix(1);
        }
    }
    return false;
}

std::string_view take_word(std::string_view& rest) {
    const std::size_t end = rest.find(' ');
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(word.size());
    return word;
}

std::optional<Argument> word_argument(const std::string& word) {
    Argument argument;
    if (word == "null" || word == "bad") {
        argument.kind = word == "null" ? Argument::Kind::null : Argument::Kind::bad;
        return argument;
    }
    const char* at = word.c_str();
    while (true) {
        char* end = nullptr;
        const long number = std::strtol(at, &end, 0);
        if (end == at) return std::nullopt;
        argument.list.push_back(number);
        if (*end == '\0') break;
        if (*end != ',') return std::nullopt;
        at = end + 1;
    }
    argument.number = argument.list.front();
    if (argument.list.size() > 1) argument.kind = Argument::Kind::list;
    return argument;
}

std::optional<Argument> take_argument(std::string_view& rest, std::string_view top) {
    if (rest.front() != '"') return word_argument(std::string(take_word(rest)));
    rest.remove_prefix(1);
    Argument argument;
    argument.kind = Argument::Kind::text;
    if (!take_text(rest, top, argument.text)) return std::nullopt;
    return argument;
}

}  // namespace

std::optional<Operation> parse_operation(std::string_view line, std::string_view top) {
    Operation operation;
    if (line.size() > 3 && line.front() == '@') {
        if (line[1] < '0' || line[1] > '3' || line[2] != ' ') return std::nullopt;
        operation.actor = static_cast<Actor>(line[1] - '0');
        line.remove_prefix(3);
    }
    operation.row = find_call(take_word(line));
    if (operation.row == nullptr) return std::nullopt;
    for (const char letter : operation.row->arguments) {
        if (!is_written(letter)) continue;
        if (line.size() < 2 || line.front() != ' ') return std::nullopt;
        line.remove_prefix(1);
        auto argument = take_argument(line, top);
        if (!argument) return std::nullopt;
        operation.arguments.push_back(std::move(*argument));
    }
    if (!line.empty()) return std::nullopt;
    return operation;
}

std::string quoted(std::string_view bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text = "\"";
    for (const char byte : bytes) {
        if (byte == '"' || byte == '\\') {
            text += '\\';
            text += byte;
        } else if (is_printable(static_cast<unsigned char>(byte))) {
            text += byte;
        } else {
            text += "\\x";
            text += digits[static_cast<unsigned char>(byte) >> 4];
            text += digits[static_cast<unsigned char>(byte) & 15];
        }
    }
    return text + '"';
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (!line.empty() && line.front() != '#') lines.emplace_back(line);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

}  // namespace differential
