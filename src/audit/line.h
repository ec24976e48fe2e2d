// One line of JSON of bounded size, made without a library so that a record costs microseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace audit {

/// Builds one JSON object on one line. Texts are raw bytes: what is no UTF-8 becomes U+FFFD,
/// control characters are escaped, and a text that takes more than its limit in the line is cut and
/// ends with "…".
class Line {
  public:
    Line() : text_("{") {}

    Line& field(std::string_view name, std::string_view value, std::size_t limit);
    Line& field(std::string_view name, std::int64_t value);
    /// An array of texts; `limit` counts for all of them, and "…" stands for those that are left
    /// out.
    Line& field(std::string_view name, const std::vector<std::string>& values, std::size_t limit);

    /// The line with its newline.
    std::string take();

  private:
    void begin(std::string_view name);
    std::string text_;
};

/// "2026-11-30T18:13:30.123456Z" for nanoseconds since the epoch.
std::string utc_text(std::int64_t nanoseconds);

}  // namespace audit
