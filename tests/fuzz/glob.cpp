// Globs: a pattern, a NUL, the text to match.
#include "policy/glob.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [pattern, text] = fuzz::halves(fuzz::text(data, size));
    for (const auto slash : {policy::Glob::Slash::separator, policy::Glob::Slash::ordinary}) {
        policy::Glob::Problem problem;
        const auto glob = policy::Glob::compile(pattern, slash, problem);
        if (glob) {
            glob->matches(text);
        } else {
            fuzz::require(!problem.what.empty() && problem.offset <= pattern.size(),
                          "a problem has its place");
        }
        const auto literal = policy::Glob::compile(policy::escape_glob(text), slash, problem);
        fuzz::require(!literal || literal->matches(text), "an escaped text matches itself");
    }
    return 0;
}
