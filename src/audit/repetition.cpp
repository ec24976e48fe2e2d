// Whether the same thing was refused to the same command before.
#include "audit/repetition.h"

#include <set>
#include <string_view>

#include "audit/log.h"
#include "audit/tail.h"

namespace audit {
namespace {

constexpr std::size_t looked_at = 1 << 20;

/// The number after `"pid":` in the line of `text` that `at` lies in.
std::string_view pid_at(std::string_view text, std::size_t at) {
    constexpr std::string_view name = "\"pid\":";
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is the start of the text
    const std::size_t found = text.find(name, begin);
    if (found == std::string_view::npos || found > text.find('\n', at)) return {};
    const std::size_t number = found + name.size();
    return text.substr(number, text.find_first_not_of("0123456789", number) - number);
}

}  // namespace

unsigned count_commands_refused(const std::string& directory, std::string_view key) {
    // No text of a record can hold this: a quotation mark in it is escaped.
    const std::string mark = "\"key\":\"" + std::string(key) + "\"";
    const auto files = log_files(directory);
    std::size_t left = looked_at;
    std::set<std::string, std::less<>> commands;
    for (auto file = files.rbegin(); file != files.rend() && left > 0; ++file) {
        const std::string text = read_tail(*file, left);
        for (auto at = text.find(mark); at != std::string::npos;
             at = text.find(mark, at + mark.size()))
            commands.emplace(pid_at(text, at));
        left -= text.size();
    }
    return static_cast<unsigned>(commands.size());
}

}  // namespace audit
