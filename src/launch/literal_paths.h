// Resolves many literal paths of the same few directories with few system calls.
#pragma once

#include <bitset>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policy/load.h"

namespace launch {

/// Remembers the directories on the way to the last path, so it is for one load on one thread.
/// Cheapest when the paths of a directory come together.
class LiteralPaths {
  public:
    /// Says how many names in `directory` will be asked for: many are found by reading it.
    void expect(std::string_view directory, std::size_t names);
    /// Where the absolute `path` leads, and the identity of what is there: see
    /// policy::Surroundings.
    policy::Surroundings::Resolved resolve(const std::string& path);

  private:
    /// The names in a directory, by a hash of their lower case: what is not in it is not there.
    using Names = std::bitset<16384>;

    struct Directory {
        std::size_t length = 0;  ///< Of its path in `way_`; 0 for the root.
        std::string canonical;   ///< Empty for the root.
        bool exists = false;
        std::unique_ptr<Names> names;  ///< When it has been read.
    };

    Directory& directory(std::string_view path);
    Directory look(const Directory& parent, std::string_view name) const;
    static bool may_hold(const Directory& directory, std::string_view name);
    static void list(Directory& directory);

    std::string way_;  ///< The path of the last directory asked for.
    std::vector<Directory> directories_ = root();
    static std::vector<Directory> root();
};

}  // namespace launch
