// Whether ignore files are in use in a workspace, without walking through it.
#pragma once

#include <string>

namespace launch {

/// True when `workspace` holds an ignore file (.sbxignore, .cursorignore) at its top, or when the
/// git index in `git_directory` (may be empty) names one at any depth. Also true where an index
/// cannot tell: one with prefix-compressed names, one that shares entries with another file, one
/// that is very large. A nested ignore file that git does not track is not found.
/// `cache` is a directory of ours in which the answer for a large index is remembered; empty: none.
bool has_ignore_files(const std::string& workspace, const std::string& git_directory,
                      const std::string& cache);

}  // namespace launch
