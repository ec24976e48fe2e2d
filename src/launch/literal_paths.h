// Resolves many literal paths of the same few directories with few system calls.
#pragma once

#include <bitset>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "policy/load.h"

namespace launch {

/// Remembers the directories that it has seen, so it is for one load on one thread.
class LiteralPaths {
  public:
    /// Where the absolute `path` leads, and the identity of what is there: see
    /// policy::Surroundings.
    policy::Surroundings::Resolved resolve(const std::string& path);

  private:
    /// The names in a directory, by a hash of their lower case: what is not in it is not there.
    using Names = std::bitset<16384>;

    struct Directory {
        std::string canonical;
        bool exists = false;
        unsigned asked = 0;
        std::unique_ptr<Names> names;  ///< When it has been read.
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    using Directories = std::unordered_map<std::string, Directory, Hash, std::equal_to<>>;

    Directories::value_type& directory(std::string_view path);
    Directory look(std::string_view path);
    static bool may_hold(Directory& directory, std::string_view name);
    static void list(Directory& directory);

    Directories directories_;
    Directories::value_type* last_ = nullptr;  ///< Paths of one rule mostly have the same parent.
};

}  // namespace launch
