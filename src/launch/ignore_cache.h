// Remembers what a git index says about ignore files, as a large one takes long to read.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace launch {

/// One small file for each git directory in a directory of ours. Failures are silent: the index is
/// read then.
class IgnoreCache {
  public:
    /// `directory` is made when it is needed and its parent exists; empty: nothing is remembered.
    IgnoreCache(const std::string& directory, const std::string& git_directory);

    /// The answer for the index that has this status, if it has not changed since.
    std::optional<bool> recall(const struct stat& index) const;
    /// Not when the index has changed so lately that the next change might look the same.
    void remember(const struct stat& index, bool answer) const;

  private:
    std::string directory_;
    std::string file_;
};

}  // namespace launch
