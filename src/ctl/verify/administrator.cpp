// Where the administrator's policy wants another outcome than the built-in one.
#include "ctl/verify/administrator.h"

#include "ctl/verdict.h"

namespace ctl::verify {
namespace {

std::optional<launch::LoadedPolicy> load(const Ground& ground, const launch::SystemPaths& paths) {
    launch::Options options;
    options.workspace = ground.workspace();
    auto loaded = launch::load_policy(options, ground.environment(), paths);
    if (!loaded) return std::nullopt;
    return *std::move(loaded);
}

/// Whether the variables are removed from the environment.
bool are_removed(const policy::Policy& policy, const Stage& stage) {
    std::vector<std::string_view> names;
    for (const std::string& variable : stage.variables)
        names.push_back(std::string_view(variable).substr(0, variable.find('=')));
    return !policy.scrub(names).empty();
}

}  // namespace

Administrator::Administrator(const Ground& ground, const launch::SystemPaths& paths)
    : directory_(ground.workspace()),
      file_(paths.admin_policy),
      in_force_(load(ground, paths)),
      built_in_(load(ground, without_administrator())) {}

std::optional<std::string> Administrator::differs(const Effect& effect, const Stage& stage) const {
    if (!in_force_ || !built_in_) return std::nullopt;
    const policy::Policy& in_force = in_force_->policy;
    const policy::Policy& built_in = built_in_->policy;
    if (!stage.variables.empty() && are_removed(in_force, stage) != are_removed(built_in, stage))
        return file_ + " says what leaves the environment";
    if (!effect.access) return std::nullopt;
    const auto now = judge(in_force, *effect.access, stage.object, directory_);
    const auto usual = judge(built_in, *effect.access, stage.object, directory_);
    if (!now || !usual || now->decision.allowed() == usual->decision.allowed()) return std::nullopt;
    std::string text = conclusion(now->decision);
    if (now->decision.rule->origin.level == policy::Level::builtin)
        text += ", as " + file_ + " says";
    return text;
}

}  // namespace ctl::verify
