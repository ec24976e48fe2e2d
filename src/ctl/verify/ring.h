// io_uring without its library.
#pragma once

#include <string>

namespace ctl::verify {

/// Has a ring create the file `path`; 0 or errno.
int create_file_by_ring(const std::string& path);

}  // namespace ctl::verify
