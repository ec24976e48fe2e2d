// How we were called: our own options, the shell that is asked for, and what it is to run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "launch/environment.h"
#include "launch/options.h"
#include "launch/shell_use.h"

namespace launch {

struct Invocation {
    Options options;
    std::string shell_name;  ///< The shell that our own name asks for; empty when it asks for none.
    std::vector<std::string>
        arguments;  ///< The interpreter's argv: argv[0] and all that is not ours, byte for byte.
};

/// Reads argv (argv[0] included; an empty one is read as "sbxsh") and the environment. An Error has
/// a remedy.
core::Result<Invocation> parse_invocation(const std::vector<std::string>& argv,
                                          const Environment& environment);

/// The shell that a program called `argv0` has to be: its base name without a leading '-', when
/// that is bash, sh, dash or zsh, "bash" for rbash; else empty.
std::string shell_asked_for(std::string_view argv0);

/// The advisory reading of an invocation whose interpreter is the file `interpreter` (its base name
/// counts).
ShellUse shell_use(const Invocation& invocation, std::string_view interpreter);

}  // namespace launch
