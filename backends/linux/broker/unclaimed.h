// Answers that nobody took: a signal ended the wait after the operation was performed.
//
// The kernel then runs the handler and makes the same call once more (or the program does, told
// EINTR), which must not fail because its own first performance stands in its way: mkdir(2) would
// say EEXIST. Only kernels without SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (before 5.19) let that
// happen.
#pragma once

#include <linux/seccomp.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "linux/broker/caller.h"

namespace linux_backend {

/// Thread-safe. Each call is served between `begin` and `end`.
class Unclaimed {
  public:
    struct Result {
        Seen seen;
        std::int64_t result;
        /// The caller was seen to leave without it. Otherwise it may have left: the kernel does not
        /// tell.
        bool left;
    };

    /// Waits until an earlier call of the same thread, whose wait was ended by a signal, is
    /// through. Returns what this very call came to a moment ago: the same number, arguments and
    /// memory as far as it was looked at, and no other call of the thread in between.
    std::optional<Result> begin(const seccomp_notif& call);

    /// The call was answered; `result` is what it came to when something was performed.
    void end(const seccomp_notif& call, std::optional<Result> result);

  private:
    struct Kept {
        seccomp_data call;
        Result result;
        std::chrono::steady_clock::time_point since;
    };

    std::mutex lock_;
    std::condition_variable ended_;
    std::set<std::uint32_t> served_;  ///< Threads with a call between begin and end.
    std::map<std::uint32_t, Kept> kept_;
};

}  // namespace linux_backend
