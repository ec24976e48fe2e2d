// A short text that tells sequences of texts apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// FNV-1a over texts, each with its end marked. To notice changes, not to withstand an attacker who
/// chooses the texts.
class Fingerprint {
  public:
    void add(std::string_view text) {
        for (const char byte : text) add_byte(static_cast<unsigned char>(byte));
        add_byte(0);
    }
    void add(const std::vector<std::string>& texts) {
        for (const std::string& text : texts) add(text);
        add_byte(1);
    }

    /// 16 hex digits.
    std::string text() const {
        std::string digits(16, '0');
        for (std::size_t i = 0; i < digits.size(); ++i)
            digits[i] = "0123456789abcdef"[(hash_ >> (60 - 4 * i)) & 15];
        return digits;
    }

  private:
    void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }
    std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace core
