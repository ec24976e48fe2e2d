// The indexes over path patterns.
#include <algorithm>
#include <bit>

#include "policy/impl.h"

namespace policy {

std::uint32_t hash_of(std::string_view component) {
    std::uint32_t hash = 2166136261U;
    for (const char c : component) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

void KeyIndex::build(const std::vector<MergedRule>& rules) {
    std::size_t count = 0;
    for (const MergedRule& rule : rules) {
        count += static_cast<std::size_t>(
            std::count_if(rule.selects.paths.begin(), rule.selects.paths.end(),
                          [](const Pattern& pattern) { return !pattern.is_literal(); }));
    }
    entries_.reserve(count);
    heads_.assign(2 * count + 1, 0);
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        const std::vector<Pattern>& patterns = rules[rule].selects.paths;
        for (std::uint32_t pattern = 0; pattern < patterns.size(); ++pattern) {
            if (patterns[pattern].is_literal()) continue;
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
    std::size_t count = 0;
    for (const MergedRule& rule : rules) count += rule.selects.paths.size();
    entries_.reserve(count);
    nodes_.reserve(count + count / 4 + 16);
    buckets_.assign(std::bit_ceil(count + 1), 0);
    add(rules, Sort::wildcards);
    add(rules, Sort::literal);
}

void PrefixIndex::add(const std::vector<MergedRule>& rules, Sort sort) {
    std::string_view directory;  // of the pattern before, as neighbours mostly share it
    std::uint32_t known = 0;
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        const std::vector<Pattern>& patterns = rules[rule].selects.paths;
        for (std::uint32_t pattern = 0; pattern < patterns.size(); ++pattern) {
            if (patterns[pattern].is_literal() != (sort == Sort::literal)) continue;
            const std::string_view path = patterns[pattern].prefix();
            std::uint32_t node = 0;
            if (!path.empty()) {
                const std::string_view parent = path.substr(0, path.rfind('/'));
                if (parent != directory) {
                    known = 0;
                    for (std::size_t at = 0; at < parent.size();) {
                        const std::size_t end = std::min(parent.find('/', at + 1), parent.size());
                        known = child_or_new(known, parent.substr(at + 1, end - at - 1));
                        at = end;
                    }
                    directory = parent;
                }
                node = child_or_new(known, path.substr(parent.size() + 1));
            }
            entries_.push_back({{rule, pattern}, nodes_[node].entries, sort});
            nodes_[node].entries = static_cast<std::uint32_t>(entries_.size());
        }
    }
}

std::uint32_t PrefixIndex::child(std::uint32_t parent, std::string_view name,
                                 std::uint32_t hash) const {
    std::uint32_t at = buckets_[bucket(parent, hash)];
    for (; at != 0; at = nodes_[at].bucket) {
        const Node& node = nodes_[at];
        if (node.parent == parent && std::string_view(node.name, node.length) == name) break;
    }
    return at;
}

std::uint32_t PrefixIndex::child_or_new(std::uint32_t parent, std::string_view name) {
    const std::uint32_t hash = hash_of(name);
    if (const std::uint32_t known = child(parent, name, hash); known != 0) return known;
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    std::uint32_t& head = buckets_[bucket(parent, hash)];
    nodes_.push_back({name.data(), static_cast<std::uint32_t>(name.size()), parent, 0,
                      nodes_[parent].children, head, 0});
    head = fresh;
    nodes_[parent].children = fresh;
    return fresh;
}

}  // namespace policy
