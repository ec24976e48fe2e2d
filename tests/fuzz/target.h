// What the fuzz targets share: a check that ends the program, and splitting the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Both sides of the first NUL; the second is empty when there is none.
inline std::pair<std::string_view, std::string_view> halves(std::string_view input) {
    const std::size_t at = input.find('\0');
    if (at == std::string_view::npos) return {input, {}};
    return {input.substr(0, at), input.substr(at + 1)};
}

inline void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

}  // namespace fuzz
