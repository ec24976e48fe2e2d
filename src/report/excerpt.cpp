// Windowing and caret placement.
#include "report/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/sanitise.h"

namespace report {

namespace {

constexpr std::size_t max_columns = 100;
/// Bytes of a line that are looked at on either side of the span's begin.
constexpr std::size_t reach = 4 * max_columns;

struct Line {
    std::size_t begin = 0;  ///< Of the part that is looked at.
    std::size_t end = 0;
    bool cut_left = false;
    bool cut_right = false;
};

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

Line line_around(std::string_view text, std::size_t at) {
    const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    Line line{newline == std::string_view::npos ? 0 : newline + 1,
              std::min(text.find('\n', at), text.size()), false, false};
    if (at - line.begin > reach) {
        line.begin = at - reach;
        while (is_continuation(text[line.begin])) ++line.begin;
        line.cut_left = true;
    }
    if (line.end - at > 2 * reach) {
        line.end = at + 2 * reach;
        while (line.end > at && is_continuation(text[line.end])) --line.end;
        line.cut_right = true;
    }
    return line;
}

struct Window {
    std::size_t first = 0;  ///< Index of a cell.
    std::size_t last = 0;   ///< One past.
};

/// The cells to show in `budget` columns, the ellipses not counted, so that cell `mark` is among
/// them.
Window window_around(const std::vector<Cell>& cells, std::size_t mark, std::size_t budget) {
    Window window{mark, mark};
    std::size_t used = 0;
    const auto grow_left = [&](std::size_t limit) {
        while (window.first > 0 && used + cells[window.first - 1].width <= limit)
            used += cells[--window.first].width;
    };
    grow_left(budget / 3);
    while (window.last < cells.size() && used + cells[window.last].width <= budget)
        used += cells[window.last++].width;
    grow_left(budget);
    return window;
}

}  // namespace

std::string excerpt(std::string_view text, core::Span span, std::string_view label) {
    const std::size_t begin = std::min(span.begin, text.size());
    const Line line = line_around(text, begin);
    const bool several =
        text.find('\n') != std::string_view::npos && text.find('\n') + 1 < text.size();
    const auto number = [&](std::size_t at) {
        return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    };
    const std::string gutter = several ? fmt::format("  {} │ ", number(begin)) : "  │ ";
    const std::string blank = several ? fmt::format("  {:{}} │ ", "", gutter.size() - 7) : "  │ ";

    const std::vector<Cell> all =
        cells(text.substr(line.begin, line.end - line.begin), Tabs::expand);
    const std::size_t mark = static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(),
                     [&](const Cell& cell) { return cell.offset + line.begin >= begin; }) -
        all.begin());
    const std::size_t budget = max_columns - (gutter.size() - 2);
    Window window{0, all.size()};
    if (line.cut_left || line.cut_right || width(all) > budget)
        window = window_around(all, mark, budget - 2);

    std::string shown;
    std::size_t pad = 0;
    std::size_t carets = 0;
    if (line.cut_left || window.first > 0) {
        shown += "…";
        pad = 1;
    }
    for (std::size_t i = window.first; i < window.last; ++i) {
        shown += all[i].text;
        const std::size_t at = all[i].offset + line.begin;
        if (at < begin) pad += all[i].width;
        if (at >= begin && at < span.end) carets += all[i].width;
    }
    if (line.cut_right || window.last < all.size()) shown += "…";
    std::string second(pad, ' ');
    second.append(std::max<std::size_t>(carets, 1), '^');
    std::string out = gutter + shown + "\n" + blank + second + " " + std::string(label);
    const std::size_t last = span.end > begin ? std::min(span.end, text.size()) : begin;
    if (several && number(last) > number(begin)) out += fmt::format(" (to line {})", number(last));
    return out + "\n";
}

}  // namespace report
