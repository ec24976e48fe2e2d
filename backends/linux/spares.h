// Directories kept in stock: a directory that the floor has to cover must exist when the floor is
// built.
//
// A tool cache that is absent at the start ("~/.npm") lies in a directory that cannot be granted
// whole, as it holds secrets, and what is made there later has no rule of its own. Landlock rules
// belong to inodes, so the floor grants a few empty directories in our state directory, and when
// the broker is asked to make such a cache, it moves one of them there.
#pragma once

#include <string>
#include <vector>

#include "launch/plan.h"
#include "linux/floor.h"

namespace linux_backend {

class Spares {
  public:
    /// Nothing in stock.
    Spares() = default;

    /// Fills up the stock of this policy (`plan.fingerprint`) below `plan.state`, and grants it in
    /// `floor` for reading. A stock belongs to one policy only: another one may refuse what this
    /// one allows. Returns which were granted, one bit for each.
    static unsigned grant(const launch::Plan& plan, Floor& floor);

    /// The stock as it was granted.
    Spares(const launch::Plan& plan, unsigned granted);

    /// Puts a spare directory at `name` in the directory open as `parent`, with `mode` as mkdir(2)
    /// would give it. False when there is none, it cannot be moved there, or the new directory
    /// would have to differ otherwise. Thread-safe.
    bool put(int parent, const std::string& name, mode_t mode) const;

  private:
    std::vector<std::string> paths_;
};

}  // namespace linux_backend
