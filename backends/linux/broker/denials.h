// The refusals of one session: recorded when decided, completed when the processes concerned end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "report/denial.h"

namespace linux_backend {

/// Collects denials; equal ones (same process, rule, object, call) are kept once. Bounded.
/// Thread-safe.
class Denials {
  public:
    static constexpr std::size_t limit = 200;

    /// Called with each new denial, for the audit log; may be empty.
    explicit Denials(std::function<void(const report::Denial&)> on_new = {})
        : on_new_(std::move(on_new)) {}

    void add(report::Denial denial);

    /// Whether `pid` was refused `object` already, by whatever call.
    bool has(pid_t pid, const std::string& object) const;

    /// Process `pid` ended with a status other than 0 or by a signal: marks the denials of it and
    /// of what it started; those of calls that reach past the sandbox only when nothing stands
    /// between it and the command line.
    void process_failed(pid_t pid);

    std::vector<report::Denial> all() const;
    unsigned long dropped() const;
    bool empty() const;

  private:
    std::function<void(const report::Denial&)> on_new_;
    mutable std::mutex lock_;
    std::vector<report::Denial> denials_;
    unsigned long dropped_ = 0;
};

}  // namespace linux_backend
