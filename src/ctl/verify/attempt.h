// The side of an effect that runs inside: `sbxctl attempt ID ARGUMENT…`, which no help names.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace ctl::verify {

/// The name of that subcommand.
constexpr std::string_view attempt_command = "attempt";
/// In the place of an id: only waits to be looked at.
constexpr std::string_view wait_name = "wait";
/// What an attempt prints first: without it nothing was tried.
constexpr std::string_view began_line = "began\n";
/// What stands before the process id of one that waits to be looked at.
constexpr std::string_view holding_line = "holding ";

/// Tries the effect that `words[0]` names with the other words. The exit status: 0 when its calls
/// succeeded, else the errno of the one that did not; 255 for an unknown id.
int attempt(const std::vector<std::string>& words);

// For use in attempts.

/// errno when `result` tells of a failure, else 0.
int outcome_of(long result);

/// Shows `text` to whoever looks; 0 or errno.
int show(std::string_view text);

/// Shows what can be read from `descriptor`, which may be -1 from a call that failed; 0 or errno.
int show_content(int descriptor);

/// Waits until whoever looks has looked at `process`; 0.
int hold(pid_t process);

}  // namespace ctl::verify
