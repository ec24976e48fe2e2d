// What a decision may look at in the file system: a seam, so that policy itself makes no system
// call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace policy {

/// Read access to the real tree for rules whose meaning depends on files: ignore files and git
/// repositories. Implementations are thread-safe, run with the rights of the broker, and never
/// block on a FIFO or device.
class Tree {
  public:
    enum class Kind { absent, file, directory, other };

    virtual ~Tree() = default;
    /// What stands at the absolute, canonical `path`; a final symbolic link counts as `other`.
    virtual Kind kind(std::string_view path) const = 0;
    /// The content of a regular file of at most `limit` bytes; nothing when absent, larger or
    /// unreadable.
    virtual std::optional<std::string> content(std::string_view path, std::size_t limit) const = 0;
};

}  // namespace policy
