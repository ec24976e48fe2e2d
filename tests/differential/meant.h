// Differences that are meant: refusals of the policy, and what cannot be as without a sandbox.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace differential {

/// One entry of meant.txt. A difference is meant when all three expressions match the whole of
/// their text.
struct MeantDifference {
    std::regex call;     ///< The line of the call.
    std::regex without;  ///< Its result without a sandbox.
    std::regex inside;
    std::string text;  ///< The reason, for the account at the end.

    bool matches(const std::string& line, const std::string& result_without,
                 const std::string& result_inside) const;
};

/// Reads the file. Nothing, with a word on stderr, when it is malformed.
std::optional<std::vector<MeantDifference>> read_meant(const std::string& path);

}  // namespace differential
