// One call of a sequence and its text form, which is what listings show and what is read back:
//
//   @2 openat -100 "d/../f" 0x42 0644
//
// `@N` is who makes the call; absent for the first thread. An argument is a number, a list of
// numbers
// ("1,2,3,4"), `null`, `bad` (an address where nothing is) or a text in quotes, in which % is the
// top of the tree, \xHH a byte and \{N:TEXT} a repetition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "call_table.h"

namespace differential {

enum class Actor : std::uint8_t {
    first,     ///< The thread that the sequence starts with.
    sharing,   ///< Another thread of the process.
    separate,  ///< A thread with working directory, umask and descriptor table of its own.
    vforked,   ///< A child by vfork(2), for this call alone.
};

struct Argument {
    enum class Kind : std::uint8_t { number, list, text, null, bad };
    Kind kind = Kind::number;
    long number = 0;
    std::vector<long> list;
    std::string text;  ///< Expanded, but for the top of the tree when it was parsed without one.
};

struct Operation {
    const CallRow* row = nullptr;
    Actor actor = Actor::first;
    std::vector<Argument> arguments;  ///< One for each letter of the row that stands in the text.
};

/// Whether a letter of CallRow::arguments has an argument in the text.
constexpr bool is_written(char letter) {
    return letter != '0' && letter != '4' && letter != 'B' && letter != 'S';
}

constexpr bool is_path(char letter) {
    return letter == 'p' || letter == 'q' || letter == 'y';
}

/// Nothing when the line is malformed. `top` replaces % in texts.
std::optional<Operation> parse_operation(std::string_view line, std::string_view top);

/// A text as parse_operation reads it, without repetitions.
std::string quoted(std::string_view bytes);

/// The lines of a text, without the empty ones and those that begin with '#'.
std::vector<std::string> lines_of(std::string_view text);

}  // namespace differential
