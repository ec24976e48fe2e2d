// Where the programs of this installation are.
#pragma once

#include <string>

#include "core/result.h"

namespace ctl::verify {

/// The path of the program that runs this.
const std::string& own_program();

/// The sbxsh that belongs to it: beside it, or where a build leaves it. An Error, with a remedy,
/// when there is none.
core::Result<std::string> find_sbxsh();

}  // namespace ctl::verify
