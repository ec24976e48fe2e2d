// Finds the real shell, which is never ourselves under another name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "launch/environment.h"

namespace launch {

/// Where to look. The defaults are those of an ordinary system; tests give their own.
struct InterpreterSearch {
    std::string own_executable = "/proc/self/exe";
    std::vector<std::string> directories = {"/usr/bin", "/bin", "/usr/local/bin"};
};

/// The absolute path of the shell `wanted`: a path is taken as it is (relative to the current
/// directory), a name is looked for in the standard directories and then in PATH. Files that are
/// ourselves are passed over: by device and inode, under each name that we install, and copies of
/// us with the same content. An Error says what is missing, and has a remedy.
core::Result<std::string> find_interpreter(std::string_view wanted, const Environment& environment,
                                           const InterpreterSearch& search = {});

}  // namespace launch
