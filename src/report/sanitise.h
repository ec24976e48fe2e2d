// Makes text from outside harmless to print, and measures it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace report {

/// One character as it will be shown.
struct Cell {
    std::string text;        ///< Printable UTF-8.
    unsigned width = 1;      ///< Columns; 0 for a combining character.
    std::size_t offset = 0;  ///< Byte of the raw text that it stands for.
    bool changed = false;    ///< Shown as an escape.
};

enum class Tabs : bool { escape, expand };

/// Splits raw bytes into what is shown for them. Controls (C0, C1, DEL), format, bidi, zero-width
/// and private characters, blanks other than the space, line separators, bytes that are no UTF-8,
/// and combining characters without a base or piled up become escapes like \n, \x1b, \u202e. So
/// does one character in anything that reads like a line or frame of a report ("sbxsh:", "│", "=
/// rule:"). Backslashes are kept as they are.
std::vector<Cell> cells(std::string_view raw, Tabs tabs = Tabs::escape);

/// The cells of `raw` as one text of at most `columns` columns; a longer one loses its middle to
/// "…".
std::string sanitise(std::string_view raw, std::size_t columns = 200);

/// Whether `raw` is shown as itself.
bool is_plain(std::string_view raw);

/// Sum of the widths.
std::size_t width(const std::vector<Cell>& cells);

}  // namespace report
