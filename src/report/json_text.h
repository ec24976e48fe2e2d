// Raw bytes in JSON without loss. Internal to report.
#pragma once

#include <optional>
#include <string>
#include <string_view>

// Streams are not used, and would bring static initialisers into every program.
#define JSON_NO_IO 1
#include <nlohmann/json.hpp>

namespace report {

/// A JSON string; for bytes that are no UTF-8 the object {"base64": "…"}.
nlohmann::ordered_json json_text(std::string_view raw);

/// The bytes that json_text was given; nothing when `value` is of neither form or longer than
/// `limit` bytes.
std::optional<std::string> raw_text(const nlohmann::ordered_json& value, std::size_t limit);

}  // namespace report
