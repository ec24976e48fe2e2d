// The workspace: the directory that commands may change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "launch/homes.h"

namespace launch {

struct Workspace {
    std::string root;                ///< Canonical; empty when there is none.
    std::vector<std::string> extra;  ///< Directories of its repository that lie outside; canonical.
    std::string
        git_directory;  ///< That of the tree at `root`, which holds its index; empty when none.
    std::string
        remark;  ///< Why there is no workspace, or less of one than expected; empty otherwise.
};

/// Whether the canonical `directory` is too much to be writable as a whole: "/", a home, what holds
/// a home, a system directory.
bool is_too_wide(std::string_view directory, const Homes& homes);

/// The git top level around the canonical `current` directory (empty when it cannot be known), else
/// that directory itself; one that is too wide never counts.
Workspace find_workspace(const std::string& current, const Homes& homes);

/// The workspace that the caller asked for: `wanted` is relative to `current`. An Error, with a
/// remedy, when it is no directory, or "/", a home or what holds a home; a system directory may be
/// asked for.
core::Result<Workspace> take_workspace(std::string_view wanted, const std::string& current,
                                       const Homes& homes);

}  // namespace launch
