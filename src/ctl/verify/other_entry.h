// System calls through the entries of other ABIs than this program's own.
#pragma once

#include <string>

namespace ctl::verify {

/// Each creates the file `path`; 0 or errno (ENOSYS where this processor has no such entry). A
/// kernel without it may end the process instead.
int create_file_by_32_bit_entry(const std::string& path);
int create_file_by_x32_entry(const std::string& path);

}  // namespace ctl::verify
