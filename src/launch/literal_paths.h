// Resolves many literal paths of the same few directories with few system calls.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "policy/load.h"

namespace launch {

/// Remembers the directories that it has seen, so it is for one load on one thread.
class LiteralPaths {
  public:
    /// Where the absolute `path` leads, and the identity of what is there: see
    /// policy::Surroundings.
    policy::Surroundings::Resolved resolve(const std::string& path);

  private:
    struct Directory {
        std::string canonical;
        bool exists = false;
        bool listed = false;
        unsigned asked = 0;
        std::unordered_set<std::string> names;  ///< When listed: its entries, in lower case.
    };

    Directory& directory(const std::string& path);
    static bool may_hold(Directory& directory, std::string_view name);
    static void list(Directory& directory);

    std::unordered_map<std::string, Directory> directories_;
};

}  // namespace launch
