// The indexes over path patterns.
#include <algorithm>

#include "policy/impl.h"

namespace policy {

std::uint32_t KeyIndex::hash_of(std::string_view component) {
    std::uint32_t hash = 2166136261U;
    for (const char c : component) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

void KeyIndex::build(const std::vector<MergedRule>& rules) {
    std::size_t count = 0;
    for (const MergedRule& rule : rules) count += rule.selects.paths.size();
    entries_.reserve(count);
    heads_.assign(2 * count + 1, 0);
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        const std::vector<Pattern>& patterns = rules[rule].selects.paths;
        for (std::uint32_t pattern = 0; pattern < patterns.size(); ++pattern) {
            const std::string_view key = patterns[pattern].key();
            if (key.empty()) {
                everywhere_.push_back({rule, pattern});
                continue;
            }
            const std::uint32_t hash = hash_of(key);
            std::uint32_t& head = heads_[hash % heads_.size()];
            entries_.push_back({hash, head, {rule, pattern}});
            head = static_cast<std::uint32_t>(entries_.size());
        }
    }
}

void PrefixIndex::build(const std::vector<MergedRule>& rules) {
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        const std::vector<Pattern>& patterns = rules[rule].selects.paths;
        for (std::uint32_t pattern = 0; pattern < patterns.size(); ++pattern) {
            entries_.push_back({patterns[pattern].prefix(), {rule, pattern}});
        }
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.prefix < b.prefix; });
}

std::size_t PrefixIndex::first(std::string_view prefix) const {
    const auto found = std::lower_bound(
        entries_.begin(), entries_.end(), prefix,
        [](const Entry& entry, std::string_view wanted) { return entry.prefix < wanted; });
    return static_cast<std::size_t>(found - entries_.begin());
}

}  // namespace policy
