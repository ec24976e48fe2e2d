// Makes the calls of one sequence in this process and says what each returned.
#pragma once

#include <string>
#include <vector>

namespace differential {

/// Performs the lines with `top`/t as working directory, after opening the descriptors that
/// sequences count on (see open_descriptors in perform.cpp). One line of result for each line, then
/// one with the descriptors that are open at the end. Leaves the process in a state that is good
/// for nothing but _exit. Results hold no name of the top and no number that differs from run to
/// run.
std::vector<std::string> perform(const std::vector<std::string>& lines, const std::string& top);

}  // namespace differential
