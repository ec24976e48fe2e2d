// The Linux backend: Landlock and seccomp as the floor, a broker process as the only door.
#pragma once

#include <optional>

#include "launch/backend.h"

namespace linux_backend {

class LinuxSandbox final : public launch::Backend {
  public:
    /// Closes every descriptor of this process from 0 on except plan.keep, once the command has
    /// them: pipes of the caller must not be held open. This process becomes a child subreaper.
    core::Result<launch::Outcome> run(const launch::Plan& plan) override;
    void settle() override;
    std::vector<launch::Capability> probe() const override;

  private:
    pid_t keeper_ = -1;  ///< To be waited for; -1 when there is none.
};

/// What is wrong with /proc, by which the broker looks at its callers; nothing when it shows our
/// own PID namespace.
std::optional<core::Error> problem_of_proc();

/// Whether this process already runs inside a sandbox of ours; asked of the filter itself, so
/// nothing can pretend it.
bool inside_sandbox();

}  // namespace linux_backend
