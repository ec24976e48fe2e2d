// What a policy has to know about this user, this directory and this machine.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "launch/environment.h"
#include "launch/literal_paths.h"
#include "launch/options.h"
#include "policy/load.h"

namespace launch {

/// Files and facts of the system. The defaults are the real ones; tests give their own.
struct SystemPaths {
    std::string passwd = "/etc/passwd";
    std::string admin_policy = "/etc/sbxsh/policy.toml";
    std::string temporary = "/tmp";
};

/// The outcome of looking around.
struct Scene {
    policy::Variables variables;
    std::string current;        ///< Canonical current directory; empty when it cannot be found.
    std::string git_directory;  ///< That of the workspace; empty when it is no git working tree.
    /// Why something is less than a reader of the policy might expect; to be shown beside a
    /// refusal, not without one.
    std::vector<std::string> remarks;
};

/// Finds the values of the policy's variables for the calling user. A variable of the environment
/// that would make "/", a home or a system directory writable is not followed (TMPDIR,
/// XDG_CACHE_HOME). An Error, with a remedy, only for a workspace that was asked for and cannot be
/// one.
core::Result<Scene> look_around(const Options& options, const Environment& environment,
                                const SystemPaths& paths = {});

/// policy::Surroundings on the real file system. Remembers the directories it has seen, so it is
/// for one load on one thread.
class RealSurroundings : public policy::Surroundings {
  public:
    /// `git_directory` is that of the workspace, or empty; `cache` as for launch::has_ignore_files.
    explicit RealSurroundings(std::string git_directory, std::string cache = {})
        : git_directory_(std::move(git_directory)), cache_(std::move(cache)) {}
    void expect(std::string_view directory, std::size_t names) const override;
    Resolved resolve(const std::string& path) const override;
    bool has_ignore_files(const std::string& workspace) const override;

  private:
    std::string git_directory_;
    std::string cache_;
    mutable LiteralPaths paths_;
};

}  // namespace launch
