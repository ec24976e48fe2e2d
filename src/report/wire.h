// Denials as JSON: between processes, in the audit log, and in reports.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "report/denial.h"
#include "report/json_text.h"

namespace report {

/// What one serialised denial can hold; to_json cuts off what is beyond, from_json takes it for an
/// error.
inline constexpr std::size_t max_wire_text = 16384;    ///< Bytes of any text.
inline constexpr std::size_t max_wire_arguments = 64;  ///< Of one process.
inline constexpr std::size_t max_wire_argv = 8192;     ///< Bytes of all arguments of one process.
inline constexpr std::size_t max_wire_ancestors = 16;
inline constexpr std::size_t max_wire = std::size_t{4} << 20;  ///< Bytes of the whole.

/// One line of ASCII without a newline. Bytes that are no UTF-8 survive; see json_text.
std::string to_json(const Denial& denial);

/// The members of a serialised denial as a JSON value.
nlohmann::ordered_json to_value(const Denial& denial);

/// The denial that to_json was given. Unknown members are ignored, missing ones and wrong types are
/// an Error.
core::Result<Denial> from_json(std::string_view text);

}  // namespace report
