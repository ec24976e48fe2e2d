// Sequences of calls from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace differential {

/// `length` lines that parse_operation reads. The same for the same arguments, on each machine.
std::vector<std::string> generate(std::uint64_t seed, std::size_t length);

}  // namespace differential
