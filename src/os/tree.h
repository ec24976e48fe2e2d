// The real file system, as the policy's decisions may look at it; and bounded reading of regular
// files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "policy/tree.h"

namespace os {

enum class Links {
    follow,  ///< A final symbolic link is followed.
    refuse,  ///< A final symbolic link is an error (ELOOP).
};

/// The content of the regular file at `path`. Never blocks on a FIFO or device: what is no regular
/// file is an error, as is a file of more than `limit` bytes (EFBIG), before its content is read.
/// An absent file has code ENOENT or ENOTDIR. Thread-safe.
core::Result<std::string> read_regular_file(const std::string& path, std::size_t limit,
                                            Links links);

/// policy::Tree on the file system of this process, with its rights. Paths have no symbolic links
/// by contract; only a final one is guarded against. Stateless, so thread-safe; allocates, so not
/// for after fork.
class RealTree : public policy::Tree {
  public:
    Kind kind(std::string_view path) const override;
    std::optional<std::string> content(std::string_view path, std::size_t limit) const override;
};

}  // namespace os
