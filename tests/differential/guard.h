// Keeps sequences within their tree: generated paths climb, and the side without a sandbox has
// nothing else that would stop them.
#pragma once

#include <string>
#include <string_view>

#include "operation.h"

namespace differential {

/// Where the object behind a descriptor is.
enum class Zone : unsigned char {
    tree,       ///< Below the top of the tree.
    top,        ///< The top itself.
    anonymous,  ///< A pipe, socket or memfd.
    process,    ///< procfs.
    device,     ///< A device that everybody may write to.
    outside,
};

/// How far an operation reaches; the furthest of its arguments counts.
enum class Reach : unsigned char {
    tree,
    process,  ///< Also into procfs, where it can do little.
    outside,  ///< To what it must not touch.
};

/// Looks with the rights, working directory and descriptors of the calling thread.
class Guard {
  public:
    explicit Guard(std::string top) : top_(std::move(top)) {}

    /// What the operation would touch if this thread made it now.
    Reach reach_of(const Operation& operation) const;

    /// The kernel's name of one of this thread's descriptors; empty when it is closed.
    static std::string name_of(int descriptor);

  private:
    Zone zone_of(std::string_view name) const;
    static Reach reach_of_object(const CallRow& row, Zone zone);
    Reach reach_of_descriptor(const CallRow& row, int descriptor) const;
    Reach reach_of_path(const CallRow& row, int directory, std::string path) const;

    std::string top_;
};

}  // namespace differential
