// Quotes words for a shell command that a person is asked to type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace report {

/// `word` as one shell word that stands for exactly these bytes and is harmless to print on one
/// line: bare where possible, else '…', else $'…' (bash, zsh, ksh) with escapes for what must not
/// be printed.
std::string shell_quote(std::string_view word);

/// The words, quoted and joined by spaces.
std::string shell_join(const std::vector<std::string>& words);

}  // namespace report
