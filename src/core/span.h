// A half-open range of bytes in a text.
#pragma once

#include <cstddef>

namespace core {

/// Bytes [begin, end) of a text that the context names.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    std::size_t size() const { return end - begin; }
    bool empty() const { return begin == end; }
    friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace core
