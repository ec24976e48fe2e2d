// Where the administrator's policy wants another outcome than the built-in one.
#pragma once

#include <optional>
#include <string>

#include "ctl/verify/effect.h"
#include "ctl/verify/ground.h"
#include "launch/prepare.h"

namespace ctl::verify {

/// The system without a policy of its administrator.
inline launch::SystemPaths without_administrator() {
    launch::SystemPaths paths;
    paths.admin_policy = "/nonexistent";
    return paths;
}

/// Both policies, as they hold in the ground's workspace. Where one cannot be loaded, none differs.
class Administrator {
  public:
    explicit Administrator(const Ground& ground, const launch::SystemPaths& paths = {});

    /// The decision in force on what the effect asks for, "allowed by RULE (FILE:LINE)", where the
    /// administrator's policy changes it; nothing where it does not.
    std::optional<std::string> differs(const Effect& effect, const Stage& stage) const;

  private:
    std::string directory_, file_;
    std::optional<launch::LoadedPolicy> in_force_, built_in_;
};

}  // namespace ctl::verify
