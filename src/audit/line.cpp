// One line of JSON of bounded size.
#include "audit/line.h"

#include <chrono>
#include <cstdio>

namespace audit {
namespace {

constexpr std::string_view cut_mark = "…";
constexpr std::string_view replacement = "\\ufffd";

bool is_continuation(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

/// Bytes of the well-formed UTF-8 sequence at the start of `text`; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation(byte(i))) return 0;
    }
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    const bool too_large = first == 0xf4 && byte(1) >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

/// The JSON form of the character at the start of `text`, and how many of its bytes that takes.
std::string escape_next(std::string_view text, std::size_t& length) {
    length = sequence_length(text);
    if (length == 0) {
        length = 1;
        return std::string(replacement);
    }
    const char first = text[0];
    if (first == '"' || first == '\\') return {'\\', first};
    if (first == '\n') return "\\n";
    if (first == '\t') return "\\t";
    if (static_cast<unsigned char>(first) < 0x20 || first == 0x7f) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(first));
        return escape;
    }
    return std::string(text.substr(0, length));
}

/// Appends the escaped `value` in at most `limit` bytes; false when it had to be cut.
bool append_escaped(std::string& out, std::string_view value, std::size_t limit) {
    const std::size_t begin = out.size();
    std::size_t fits = begin;  // Where to cut so that the mark still has room.
    while (!value.empty()) {
        std::size_t length = 0;
        const std::string next = escape_next(value, length);
        if (out.size() - begin + next.size() > limit) {
            out.resize(fits);
            out += cut_mark;
            return false;
        }
        out += next;
        if (out.size() - begin + cut_mark.size() <= limit) fits = out.size();
        value.remove_prefix(length);
    }
    return true;
}

}  // namespace

void Line::begin(std::string_view name) {
    if (text_.size() > 1) text_ += ',';
    ((text_ += '"') += name) += "\":";
}

Line& Line::field(std::string_view name, std::string_view value, std::size_t limit) {
    begin(name);
    text_ += '"';
    append_escaped(text_, value, limit);
    text_ += '"';
    return *this;
}

Line& Line::field(std::string_view name, std::int64_t value) {
    begin(name);
    text_ += std::to_string(value);
    return *this;
}

Line& Line::field(std::string_view name, const std::vector<std::string>& values,
                  std::size_t limit) {
    begin(name);
    const std::size_t start = text_.size();
    text_ += '[';
    for (const std::string& value : values) {
        if (text_.back() != '[') text_ += ',';
        const std::size_t used = text_.size() - start + 3;
        text_ += '"';
        if (used + cut_mark.size() >= limit) {
            (text_ += cut_mark) += '"';
            break;
        }
        const bool whole = append_escaped(text_, value, limit - used);
        text_ += '"';
        if (!whole) break;
    }
    text_ += ']';
    return *this;
}

std::string Line::take() {
    return std::move(text_ += "}\n");
}

std::string utc_text(std::int64_t nanoseconds) {
    using namespace std::chrono;
    // Not gmtime_r(3): it reads the time zone's file first.
    const sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(nanoseconds)};
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(floor<microseconds>(time - day));
    char text[64];
    std::snprintf(
        text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
        static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return text;
}

}  // namespace audit
