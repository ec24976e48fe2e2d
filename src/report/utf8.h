// Decodes UTF-8 strictly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace report {

struct Decoded {
    std::uint32_t code = 0;
    std::size_t length = 1;  ///< Bytes; 1 for a byte that begins no valid sequence.
    bool valid = false;
};

/// The character at `at`, which is before the end of `text`. Overlong forms, surrogates and
/// truncated sequences are not valid.
Decoded decode(std::string_view text, std::size_t at);

/// Whether all of `text` is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace report
