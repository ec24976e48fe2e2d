// The end of a file.
#pragma once

#include <cstddef>
#include <string>

namespace audit {

/// The last whole lines of the regular file at `path`, at most `limit` bytes of them; empty when it
/// cannot be read. A final symbolic link is not followed.
std::string read_tail(const std::string& path, std::size_t limit);

}  // namespace audit
