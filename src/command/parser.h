// From the text of a command line to its syntax tree.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "command/tree.h"

namespace command {

/// Longest text that is looked at; what follows is left out and the tree is not `complete`.
inline constexpr std::size_t max_text = std::size_t{1} << 20;
/// Deepest nesting of commands in commands that is followed.
inline constexpr unsigned max_depth = 100;

/// Parses `text` as bash would read it, aliases aside. Never fails: what is not understood is
/// skipped, and the script is then not `complete`. Time grows with the length of the text times the
/// depth of its nesting.
Script parse(std::string_view text);

enum class Close : char { end = '\0', parenthesis = ')' };

/// Parses from `begin` up to, not including, the closing character, or to the end of `text`. Spans
/// count from the start of `text`. `depth` is the nesting that `begin` is in already.
Script parse_from(std::string_view text, std::size_t begin, Close close, unsigned depth);

/// Parses text that stands for other text: byte i of `literal` came from byte `at[i]`, and its end
/// from `end`. The spans of the result are those of the other text.
Script parse_mapped(const Literal& literal, std::size_t end, unsigned depth);

}  // namespace command
