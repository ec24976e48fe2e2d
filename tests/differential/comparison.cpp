// Comparing and shrinking.
#include "comparison.h"

#include <algorithm>

#include "operation.h"

namespace differential {
namespace {

/// The first lines in which two texts differ.
void first_difference(const std::string& a, const std::string& b, std::string& line_a,
                      std::string& line_b) {
    const std::vector<std::string> left = lines_of(a);
    const std::vector<std::string> right = lines_of(b);
    std::size_t at = 0;
    while (at < left.size() && at < right.size() && left[at] == right[at]) ++at;
    line_a = at < left.size() ? left[at] : "(nothing)";
    line_b = at < right.size() ? right[at] : "(nothing)";
}

std::optional<Difference> difference_of(const std::vector<std::string>& lines,
                                        const Record& without, const Record& inside) {
    const std::size_t count = std::min(without.results.size(), inside.results.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (without.results[i] == inside.results[i]) continue;
        Difference difference{lines, i < lines.size() ? lines[i] : "", without.results[i],
                              inside.results[i]};
        if (i >= lines.size())
            first_difference(without.results[i], inside.results[i], difference.without,
                             difference.inside);
        return difference;
    }
    if (without == inside) return std::nullopt;
    Difference difference{lines, "", "", ""};
    first_difference(without.tree, inside.tree, difference.without, difference.inside);
    if (without.tree == inside.tree) difference.without = "another number of results";
    return difference;
}

std::string first_word(const std::string& text) {
    const std::size_t begin = text.starts_with('@') ? 3 : 0;
    return text.substr(begin, text.find(' ', begin) - begin);
}

}  // namespace

std::string Difference::signature() const {
    const auto kind = [](const std::string& result) {
        const std::string word = first_word(result);
        return word.starts_with('-') ? word : std::string("done");
    };
    if (hangs) return "hangs";
    if (where.empty()) return "tree";
    return first_word(where) + ' ' + kind(without) + ' ' + kind(inside);
}

const MeantDifference* Comparison::meant(const Difference& difference) const {
    if (difference.where.empty() || difference.hangs) return nullptr;
    for (const MeantDifference& entry : meant_)
        if (entry.matches(difference.where, difference.without, difference.inside)) return &entry;
    return nullptr;
}

std::optional<Difference> Comparison::compare(std::vector<std::string> lines) {
    while (true) {
        const auto without = without_.run(lines);
        const auto inside = inside_.run(lines);
        if (!without || !inside) {
            Difference difference{lines, "", without ? "an answer" : "no answer",
                                  inside ? "an answer" : "no answer"};
            difference.hangs = true;
            return difference;
        }
        auto difference = difference_of(lines, *without, *inside);
        if (!difference) return std::nullopt;
        const MeantDifference* entry = meant(*difference);
        if (entry == nullptr) return difference;
        ++seen_[entry];
        const auto at = std::find(lines.begin(), lines.end(), difference->where);
        lines.erase(at);
    }
}

Difference Comparison::shrink(Difference difference) {
    if (difference.hangs) return difference;
    for (std::size_t size = difference.lines.size() / 2; size > 0; size = size > 1 ? size / 2 : 0) {
        bool shorter = true;
        while (shorter) {
            shorter = false;
            for (std::size_t at = 0; at < difference.lines.size();) {
                std::vector<std::string> fewer = difference.lines;
                const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(at);
                fewer.erase(begin,
                            begin + static_cast<std::ptrdiff_t>(std::min(size, fewer.size() - at)));
                auto still = compare(fewer);
                if (still && !still->hangs && still->signature() == difference.signature()) {
                    difference = std::move(*still);
                    shorter = size == 1;
                } else {
                    at += size;
                }
            }
        }
    }
    return difference;
}

}  // namespace differential
