// Policy files of the user and of a workspace.
#include "policy/load.h"
#include "policy/policy.h"
#include "target.h"

namespace {

struct Nowhere final : policy::Surroundings {
    Resolved resolve(const std::string&) const override { return {}; }
    bool has_ignore_files(const std::string&) const override { return false; }
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    policy::Variables variables;
    variables.workspace = "/w";
    variables.homes = {"/home/u"};
    variables.temporary = {"/tmp"};
    const std::string text(fuzz::text(data, size));
    for (const auto level : {policy::Level::user, policy::Level::workspace}) {
        const auto policy = policy::load({{level, "p.toml", text}}, variables, Nowhere());
        if (policy) continue;
        fuzz::require(policy.error().object.starts_with("p.toml"), "an error names its place");
        fuzz::require(!policy.error().remedy.empty(), "an error has a remedy");
    }
    return 0;
}
