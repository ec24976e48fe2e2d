// Targets that several families of effects aim at.
#pragma once

#include "core/result.h"
#include "ctl/verify/effect.h"

namespace ctl::verify {

/// A tree that the sandbox may read but not write. Arguments: the tree, which holds the files
/// `file` and `other`, the empty directory `empty` and the directory `sub` with the file `inner`;
/// and a directory that may be written. It happened when anything in the tree changed.
core::Result<Stage> outside_tree(Ground& ground);

/// A private key in the home. Arguments: its path; a directory that may be written. It happened
/// when the attempt showed what the key holds.
core::Result<Stage> secret_file(Ground& ground);

/// Something at `name` in the workspace that may not be changed, now absent or not. Arguments: its
/// path; a directory that may be written; the workspace.
core::Result<Stage> protected_name(Ground& ground, const std::string& name);

}  // namespace ctl::verify
