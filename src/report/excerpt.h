// The line of a command with a mark under a part of it.
#pragma once

#include <string>
#include <string_view>

#include "core/span.h"

namespace report {

/// Two lines, each with its newline: the line of `text` on which `span` begins, in a frame and with
/// its number when there are several, and carets under `span` followed by `label`. A line too long
/// for 100 columns is cut around the span.
std::string excerpt(std::string_view text, core::Span span, std::string_view label);

}  // namespace report
