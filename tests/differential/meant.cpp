// Reading meant.txt: its head says what an entry looks like.
#include "meant.h"

#include <cstdio>
#include <fstream>
#include <string_view>

namespace differential {
namespace {

/// What follows `key` and a colon; nothing when the line is of another kind.
std::optional<std::string> field(const std::string& line, std::string_view key) {
    if (!line.starts_with(key) || line.substr(key.size(), 2) != ": ") return std::nullopt;
    return line.substr(key.size() + 2);
}

}  // namespace

bool MeantDifference::matches(const std::string& line, const std::string& result_without,
                              const std::string& result_inside) const {
    const std::size_t begin = line.starts_with('@') ? 3 : 0;
    return std::regex_match(line.substr(begin), call) &&
           std::regex_match(result_without, without) && std::regex_match(result_inside, inside);
}

std::optional<std::vector<MeantDifference>> read_meant(const std::string& path) {
    std::ifstream file(path);
    std::vector<MeantDifference> entries;
    std::string reason;
    std::string call;
    std::string without;
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line.front() == '#') continue;
        if (auto text = field(line, "reason")) {
            reason = std::move(*text);
        } else if (auto pattern = field(line, "call")) {
            call = std::move(*pattern);
        } else if (auto result = field(line, "without")) {
            without = std::move(*result);
        } else if (auto other = field(line, "inside"); other && !reason.empty()) {
            entries.push_back({std::regex(call), std::regex(without), std::regex(*other), reason});
        } else {
            std::fprintf(stderr, "%s: not understood: %s\n", path.c_str(), line.c_str());
            return std::nullopt;
        }
    }
    if (!file.eof()) {
        std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
        return std::nullopt;
    }
    return entries;
}

}  // namespace differential
