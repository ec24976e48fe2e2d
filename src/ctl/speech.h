// What sbxctl prints: answers on standard output, errors on standard error.
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"

namespace ctl {

/// Writes to standard output; 0, or 1 when it cannot be written.
int print(std::string_view text);

/// Says an error of use on standard error; 2.
int misuse(const std::string& what);

/// Says an error with its remedy on standard error; 125, as sbxsh does.
int quit(const core::Error& error);

/// `text` made harmless to print, on one line and whole.
std::string shown(std::string_view text);

}  // namespace ctl
