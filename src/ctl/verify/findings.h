// What was found, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ctl/verify/judge.h"

namespace ctl::verify {

/// Whether everything that was tried turned out as it must, and something was tried.
bool all_held(const std::vector<Finding>& findings);

/// A line for each finding in groups, and one that sums up; harmless to print.
std::string findings_text(const std::vector<Finding>& findings);

/// An array of the findings.
nlohmann::json findings_json(const std::vector<Finding>& findings);

}  // namespace ctl::verify
