// Which operand of a command is a script.
#include "command/unwrap.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace command {

namespace {

constexpr std::array<std::string_view, 7> shells{"bash", "sh",  "dash", "zsh",
                                                 "ksh",  "ash", "sbxsh"};
constexpr std::array<std::string_view, 14> prefixes{
    "env",    "exec", "command", "nohup", "nice",    "timeout", "setsid",
    "stdbuf", "time", "sudo",    "xargs", "builtin", "elevate", "busybox"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// Whether an option of a shell takes the next word as its value.
bool takes_value(std::string_view option) {
    if (option.substr(0, 2) == "--") return option == "--rcfile" || option == "--init-file";
    return option.find_last_of("oO") != std::string_view::npos;
}

/// The index of the script of a shell whose name stands at `shell`; 0 when it has none.
std::size_t script_operand(const std::vector<Word>& words, std::size_t shell) {
    bool commands = false;
    for (std::size_t i = shell + 1; i < words.size(); ++i) {
        const Word& word = words[i];
        if (!word.constant) return 0;
        const std::string_view text = word.literal.text;
        const bool option = text.size() > 1 && (text[0] == '-' || text[0] == '+');
        if (!option) return commands ? i : 0;
        if (text == "--") return commands && i + 1 < words.size() ? i + 1 : 0;
        if (text[0] == '-' && text[1] != '-' && text.find('c') != std::string_view::npos)
            commands = true;
        if (takes_value(text)) ++i;
    }
    return 0;
}

std::optional<Wrapped> joined(const std::vector<Word>& words, std::size_t first) {
    Wrapped wrapped;
    for (std::size_t i = first; i < words.size(); ++i) {
        const Word& word = words[i];
        if (!word.constant) return std::nullopt;
        if (i > first) {
            wrapped.script.text += ' ';
            wrapped.script.at.push_back(static_cast<std::uint32_t>(wrapped.end));
        }
        wrapped.script.text += word.literal.text;
        wrapped.script.at.insert(wrapped.script.at.end(), word.literal.at.begin(),
                                 word.literal.at.end());
        const PartKind last = word.parts.empty() ? PartKind::literal : word.parts.back().kind;
        const bool quoted = last != PartKind::literal && last != PartKind::escape;
        wrapped.end = quoted ? word.span.end - 1 : word.span.end;
        // A quote that was never closed has no closing byte.
        if (!word.literal.at.empty())
            wrapped.end = std::max<std::size_t>(wrapped.end, word.literal.at.back() + 1);
    }
    if (wrapped.script.text.empty()) return std::nullopt;
    return wrapped;
}

}  // namespace

std::optional<Wrapped> unwrap(const Node& node) {
    const std::vector<Word>& words = node.words;
    if (words.size() < 2 || !words[0].constant) return std::nullopt;
    if (words[0].literal.text == "eval")
        return joined(words, words[1].literal.text == "--" ? 2 : 1);
    const bool prefixed = contains(prefixes, base_name(words[0].literal.text));
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].constant && contains(shells, base_name(words[i].literal.text))) {
            const std::size_t operand = script_operand(words, i);
            if (operand == 0 || !words[operand].constant) return std::nullopt;
            const std::vector<Word> only{words[operand]};
            return joined(only, 0);
        }
        if (!prefixed) break;
    }
    return std::nullopt;
}

}  // namespace command
