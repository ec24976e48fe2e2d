// Files that point at a repository.
#include "policy/git_layout.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto target = policy::git_pointer_target("/w/sub", fuzz::text(data, size));
    if (!target) return 0;
    fuzz::require(!target->empty() && target->front() == '/', "the target is absolute");
    fuzz::require(target->find('\0') == std::string::npos, "the target has no NUL");
    return 0;
}
