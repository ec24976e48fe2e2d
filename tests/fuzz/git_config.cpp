// git's config language, and the comparison of two configs.
#include "policy/git_config.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [first, second] = fuzz::halves(fuzz::text(data, size));
    const auto before = policy::parse_git_config(first);
    const auto after = policy::parse_git_config(second);
    if (!before) {
        fuzz::require(!before.error().object.empty(), "an error names its place");
        return 0;
    }
    fuzz::require(policy::unsafe_git_changes(*before, *before, {}, "/w/.git", "/w").empty(),
                  "what did not change is harmless");
    if (after) policy::unsafe_git_changes(*before, *after, {"gitflow.*"}, "/w/.git", "/w");
    return 0;
}
