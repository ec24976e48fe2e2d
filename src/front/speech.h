// What this process says itself, on standard error, in the log, and on standard output for
// --sbx-help.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "launch/backend.h"
#include "launch/environment.h"
#include "launch/prepare.h"
#include "report/report.h"

namespace front {

launch::Environment environment();
std::string version_text();

/// Writes to standard output; the exit status.
int print(const std::string& text);
/// Writes to standard error; failures are ignored, as nobody is left to tell.
void say(const std::string& text);
/// Says an error with its remedy; the exit status 125.
int quit(const core::Error& error);

/// What is to be told and recorded about one command. Made before it starts, as it takes the time.
class Account {
  public:
    /// Sets up `prepared.plan` so that refusals are logged and the descriptors for reports stay
    /// open.
    explicit Account(launch::Prepared& prepared);

    /// Reports the refusals that mattered, where and how the caller wants it.
    void tell(const launch::Outcome& outcome);
    /// Appends the command to the audit log; a log that cannot be written is said once.
    void record(const launch::Outcome& outcome);

  private:
    std::vector<report::Repetition> repetitions(const launch::Outcome& outcome) const;

    launch::Prepared& prepared_;
    long long began_ = 0;
};

}  // namespace front
