// Base64 (RFC 4648) for what JSON strings cannot hold.
#include "report/json_text.h"

#include <array>
#include <cstdint>

#include "report/utf8.h"

namespace report {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encode(std::string_view raw) {
    std::string out;
    for (std::size_t i = 0; i < raw.size(); i += 3) {
        std::uint32_t bits = 0;
        const std::size_t count = std::min<std::size_t>(3, raw.size() - i);
        for (std::size_t k = 0; k < 3; ++k) {
            bits = (bits << 8) | (k < count ? static_cast<unsigned char>(raw[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out += k <= count ? alphabet[(bits >> (18 - 6 * k)) & 0x3fU] : '=';
        }
    }
    return out;
}

std::optional<std::string> decode_base64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    const std::size_t padding = text.empty() ? 0 : text.size() - 1 - text.find_last_not_of('=');
    if (padding > 2) return std::nullopt;
    std::string out;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool pad = i >= text.size() - padding;
        const std::size_t digit = pad ? 0 : alphabet.find(text[i]);
        if (digit == std::string_view::npos) return std::nullopt;
        bits = (bits << 6) | static_cast<std::uint32_t>(digit);
        if (i % 4 != 3) continue;
        for (const unsigned shift : {16U, 8U, 0U})
            out += static_cast<char>((bits >> shift) & 0xffU);
        bits = 0;
    }
    out.resize(out.size() - padding);
    return out;
}

}  // namespace

nlohmann::ordered_json json_text(std::string_view raw) {
    if (is_utf8(raw)) return std::string(raw);
    return {{"base64", encode(raw)}};
}

std::optional<std::string> raw_text(const nlohmann::ordered_json& value, std::size_t limit) {
    std::optional<std::string> out;
    if (value.is_string()) {
        out = value.get_ref<const std::string&>();
    } else if (value.is_object() && value.size() == 1 && value.contains("base64") &&
               value["base64"].is_string()) {
        out = decode_base64(value["base64"].get_ref<const std::string&>());
    }
    return out && out->size() <= limit ? out : std::nullopt;
}

}  // namespace report
