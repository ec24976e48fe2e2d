// Whether the same thing was refused to the same command before.
#include "audit/repetition.h"

#include "audit/log.h"
#include "audit/tail.h"

namespace audit {
namespace {

constexpr std::size_t looked_at = 1 << 20;

}  // namespace

unsigned count_refusals(const std::string& directory, std::string_view key) {
    // No text of a record can hold this: a quotation mark in it is escaped.
    const std::string mark = "\"key\":\"" + std::string(key) + "\"";
    const auto files = log_files(directory);
    std::size_t left = looked_at;
    unsigned count = 0;
    for (auto file = files.rbegin(); file != files.rend() && left > 0; ++file) {
        const std::string text = read_tail(*file, left);
        for (auto at = text.find(mark); at != std::string::npos;
             at = text.find(mark, at + mark.size()))
            ++count;
        left -= text.size();
    }
    return count;
}

}  // namespace audit
