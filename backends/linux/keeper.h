// The keeper: a process between front and broker that outlives the front and ends what a killed
// broker would leave behind.
#pragma once

#include <signal.h>

#include <vector>

#include "linux/session.h"

namespace linux_backend {

/// Sent by the kernel to the broker when the keeper is gone.
inline constexpr unsigned keeper_gone = SIGUSR1;

/// Forks the broker, then waits for it, and serves as the front's witness meanwhile. Called in a
/// fresh process, all signals blocked. Does not return.
[[noreturn]] void run_keeper(SessionPlan plan);

/// The remedy for EMFILE at the start.
inline constexpr const char* too_few_descriptors = "raise the limit on open files (ulimit -n)";

/// The Error of a fork that failed just now, while starting `what`.
core::Error fork_error(const std::string& what);

/// Closes every descriptor from 3 up except those given (negative ones are skipped).
void close_all_but(std::vector<int> kept);

}  // namespace linux_backend
