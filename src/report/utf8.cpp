// UTF-8 as RFC 3629 defines it.
#include "report/utf8.h"

namespace report {

Decoded decode(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(at);
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return {lead, 1, false};
    std::uint32_t code = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0U) != 0x80U) return {lead, 1, false};
        code = (code << 6) | (byte(at + i) & 0x3fU);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {lead, 1, false};
    return {code, length, true};
}

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const Decoded decoded = decode(text, i);
        if (!decoded.valid) return false;
        i += decoded.length;
    }
    return true;
}

}  // namespace report
