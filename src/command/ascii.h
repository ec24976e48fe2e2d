// The few character classes of the shell's syntax, independent of any locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace command {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}
constexpr bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/// Whether `text` can be the name of a variable.
constexpr bool is_name(std::string_view text) {
    if (text.empty() || is_digit(text[0])) return false;
    for (const char c : text) {
        if (!is_name_byte(c)) return false;
    }
    return true;
}

/// Value of a digit in any base up to 16; 99 for other characters.
constexpr int digit_value(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

/// The UTF-8 form of a code point; empty above U+10FFFF.
inline std::string utf8(std::uint32_t code) {
    const auto tail = [code](unsigned shift) {
        return static_cast<char>(0x80 | ((code >> shift) & 0x3f));
    };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xc0 | (code >> 6)), tail(0)};
    if (code < 0x10000) return {static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0)};
    if (code > 0x10ffff) return {};
    return {static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

}  // namespace command
