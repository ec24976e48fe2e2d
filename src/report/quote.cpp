// Shell quoting.
#include "report/quote.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/sanitise.h"

namespace report {

namespace {

bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_@%+:,./-").find(c) != std::string_view::npos;
}

std::string ansi_quote(std::string_view word, const std::vector<Cell>& split) {
    std::string out = "$'";
    for (std::size_t i = 0; i < split.size(); ++i) {
        const std::size_t begin = split[i].offset;
        const std::size_t end = i + 1 < split.size() ? split[i + 1].offset : word.size();
        const char c = word[begin];
        if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (split[i].changed) {
            for (const char byte : word.substr(begin, end - begin)) {
                out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
            }
        } else if (c == '\\' || c == '\'') {
            out += {'\\', c};
        } else {
            // A hexadecimal digit after \xHH is no part of it: bash takes two digits at most.
            out += word.substr(begin, end - begin);
        }
    }
    return out + "'";
}

}  // namespace

std::string shell_quote(std::string_view word) {
    const bool option = word.size() > 1 && word[0] == '-';
    const auto bare = [option](char c) { return is_bare(c) || (option && c == '='); };
    if (!word.empty() && std::all_of(word.begin(), word.end(), bare) && is_plain(word)) {
        return std::string(word);
    }
    const std::vector<Cell> split = cells(word);
    if (std::any_of(split.begin(), split.end(), [](const Cell& cell) { return cell.changed; })) {
        return ansi_quote(word, split);
    }
    std::string out = "'";
    for (const char c : word) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

std::string shell_join(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        if (!out.empty()) out += ' ';
        out += shell_quote(word);
    }
    return out;
}

}  // namespace report
