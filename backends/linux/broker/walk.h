// Path resolution component by component, for paths that lead through /proc.
#pragma once

#include <cstdint>
#include <string>

#include "linux/broker/resolve.h"

namespace linux_backend {

/// Resolves `path` from `base` as the kernel would for the caller, where "self", "thread-self" and
/// descriptor links mean the caller. Links of processes outside the sandbox (their root, cwd,
/// descriptors) are EACCES. With `parent_name` the last component is not looked up but returned
/// there, and the result is the directory that holds it. Of openat2(2)'s flags RESOLVE_NO_SYMLINKS
/// and RESOLVE_NO_MAGICLINKS count.
struct WalkOptions {
    FinalLink final_link = FinalLink::follow;
    std::uint64_t resolve_flags = 0;
    std::string* parent_name = nullptr;
};
OrErrno<os::Fd> walk(const Call& call, os::Fd base, const std::string& path,
                     const WalkOptions& options);

/// Whether the directory shows the caller's own process. The kernel lets it look up its descriptors
/// and follow its links whoever owns them, which after a change of identity is root.
bool is_callers_own(const Call& call, const os::Fd& directory);

}  // namespace linux_backend
