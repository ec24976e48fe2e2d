// From raw bytes to printable cells.
#include "report/sanitise.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/utf8.h"
#include "report/width_table.h"

namespace report {

namespace {

/// Combining characters shown on one base; more are escaped.
constexpr unsigned max_combining = 2;
constexpr std::size_t tab_width = 4;

WidthKind width_kind(std::uint32_t code) {
    if (code < 0x80) return code < 0x20 || code == 0x7f ? WidthKind::hidden : WidthKind::normal;
    const auto* const range = std::lower_bound(
        std::begin(width_ranges), std::end(width_ranges), code,
        [](const WidthRange& each, std::uint32_t value) { return each.last < value; });
    return range != std::end(width_ranges) && range->first <= code ? range->kind
                                                                   : WidthKind::normal;
}

std::string escape(std::uint32_t code, bool valid) {
    if (code == '\n') return "\\n";
    if (code == '\t') return "\\t";
    if (code == '\r') return "\\r";
    if (!valid || code < 0x80) return fmt::format("\\x{:02x}", code);
    return code <= 0xffff ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

/// Whether the character at `at` completes something that reads like a part of a report.
bool forges(std::string_view raw, std::size_t at) {
    static constexpr std::string_view name = "sbxsh:";
    if (raw[at] == ':' && at + 1 >= name.size()) {
        return raw.substr(at + 1 - name.size(), name.size()) == name;
    }
    if (raw[at] != '=' || at + 2 >= raw.size() || raw[at + 1] != ' ') return false;
    std::size_t end = at + 2;
    while (end < raw.size() && end < at + 12 && is_lower(raw[end])) ++end;
    return end > at + 2 && end < raw.size() && raw[end] == ':';
}

}  // namespace

std::vector<Cell> cells(std::string_view raw, Tabs tabs) {
    constexpr std::uint32_t frame = 0x2502;
    std::vector<Cell> out;
    std::size_t column = 0;
    unsigned combining = max_combining;
    for (std::size_t at = 0; at < raw.size();) {
        const Decoded decoded = decode(raw, at);
        WidthKind kind = decoded.valid ? width_kind(decoded.code) : WidthKind::hidden;
        if (kind == WidthKind::combining && combining++ >= max_combining) kind = WidthKind::hidden;
        Cell cell{std::string(raw.substr(at, decoded.length)), 1, at, false};
        if (raw[at] == '\t' && tabs == Tabs::expand) {
            cell.width = static_cast<unsigned>(tab_width - column % tab_width);
            cell.text.assign(cell.width, ' ');
        } else if (kind == WidthKind::hidden || decoded.code == frame || forges(raw, at)) {
            cell.text = escape(decoded.code, decoded.valid);
            cell.width = static_cast<unsigned>(cell.text.size());
            cell.changed = true;
        } else {
            cell.width = kind == WidthKind::combining ? 0 : kind == WidthKind::wide ? 2 : 1;
        }
        if (cell.changed) combining = max_combining;
        if (!cell.changed && kind != WidthKind::combining) combining = 0;
        column += cell.width;
        at += decoded.length;
        out.push_back(std::move(cell));
    }
    return out;
}

std::size_t width(const std::vector<Cell>& cells) {
    std::size_t sum = 0;
    for (const Cell& cell : cells) sum += cell.width;
    return sum;
}

std::string sanitise(std::string_view raw, std::size_t columns) {
    // Bounded before it is split, so that a huge text costs no more than what is shown of it.
    const std::size_t keep = 4 * columns + 16;
    const bool huge = raw.size() > 2 * keep;
    std::vector<Cell> head = cells(huge ? raw.substr(0, keep) : raw);
    std::vector<Cell> tail = huge ? cells(raw.substr(raw.size() - keep)) : head;
    std::string out;
    if (!huge && width(head) <= columns) {
        for (const Cell& cell : head) out += cell.text;
        return out;
    }
    const std::size_t half = (columns - 1) / 2;
    std::size_t used = 0;
    for (auto cell = head.begin(); cell != head.end() && used + cell->width <= half; ++cell) {
        out += cell->text;
        used += cell->width;
    }
    out += "…";
    auto first = tail.end();
    for (used = 0; first != tail.begin() && used + std::prev(first)->width <= half;) {
        used += (--first)->width;
    }
    // Combining characters whose base is cut off go with it.
    while (first != tail.end() && first->width == 0) ++first;
    for (; first != tail.end(); ++first) out += first->text;
    return out;
}

bool is_plain(std::string_view raw) {
    const std::vector<Cell> split = cells(raw);
    return std::none_of(split.begin(), split.end(), [](const Cell& cell) { return cell.changed; });
}

}  // namespace report
