// The one interface between the program and a platform's sandbox.
#pragma once

#include <vector>

#include "core/result.h"
#include "launch/plan.h"
#include "report/denial.h"

namespace launch {

/// How a sandboxed command ended.
struct Outcome {
    int wait_status = 0;  ///< As from waitpid(2) for the interpreter: exited or signalled.
    std::vector<report::Denial> denials;  ///< In order; bounded by the backend.
    unsigned long dropped_denials = 0;    ///< How many more there were.
    bool all_ended = true;                ///< Nothing that the command started is left running.
    std::vector<std::string>
        notes;  ///< Remarks about the sandbox itself, each for one line of the report.
};

/// One fact about what a backend can enforce here, for `sbxctl doctor`.
struct Capability {
    std::string name;  ///< "Landlock", "seccomp notifications".
    bool present = false;
    std::string detail;     ///< "ABI 7", or the errno and what is lost without it.
    bool required = false;  ///< Whether a command is refused to start without it.
};

class Backend {
  public:
    virtual ~Backend() = default;
    /// Starts the plan's command under its policy and returns when the interpreter has ended, or
    /// with an Error when the sandbox could not be set up; then nothing ran. Passes signals on to
    /// the command meanwhile. Must be called from a process with one thread.
    virtual core::Result<Outcome> run(const Plan& plan) = 0;
    /// Waits until our own processes are gone, unless they still serve something left running, so
    /// that no zombie is left to whoever adopts orphans. Called last.
    virtual void settle() = 0;
    /// What this machine can enforce; probes without side effects.
    virtual std::vector<Capability> probe() const = 0;
};

}  // namespace launch
