// The directories that the battery plays in: outside of what the sandbox may write, gone at the
// end.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "ctl/verify/effect.h"
#include "launch/environment.h"
#include "os/fd.h"

namespace ctl::verify {

/// Owns a new directory for the user alone with a home, a workspace and room for targets. Removes
/// it with all in it at the end. One for each process; not to be moved.
class Ground {
  public:
    /// Below the first of `places` that the built-in policy does not let the sandbox write. An
    /// Error, with a remedy, when none can be used.
    static core::Result<std::unique_ptr<Ground>> lay_out(const std::vector<std::string>& places,
                                                         std::string_view path);
    Ground(const Ground&) = delete;
    Ground& operator=(const Ground&) = delete;
    ~Ground();

    const std::string& base() const { return base_; }
    const std::string& home() const { return home_; }
    const std::string& workspace() const { return workspace_; }
    /// What the attempts are started with.
    const launch::Environment& environment() const { return environment_; }

    /// A text that nothing else holds.
    std::string fresh_text();
    /// A new empty directory that no rule lets the sandbox write.
    std::string outside();
    /// Makes the workspace anew: the skeleton of a git repository and the file `ordinary`.
    core::Result<void> renew_workspace();

  private:
    explicit Ground(std::string base);

    std::string base_, home_, workspace_;
    launch::Environment environment_;
    std::string random_;
    unsigned count_ = 0;
};

/// Writes a new file or over an old one; an Error when that fails.
core::Result<void> write_file(const std::string& path, std::string_view text, mode_t mode = 0600);
/// The content; empty when it cannot be read.
std::string content_of(const std::string& path);
/// Removes `path` and all below it, without following links.
void remove_all(const std::string& path);

}  // namespace ctl::verify
