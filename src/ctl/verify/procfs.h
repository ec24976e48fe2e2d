// What /proc tells of processes, as it is looked at from outside.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace ctl::verify {

/// The whole of a file that has no size; empty when it cannot be read.
std::string content_of_kernel_file(const std::string& path);

/// What the descriptors of `process` lead to: "socket:[4711]"; none when it cannot be looked into.
std::vector<std::string> descriptor_links(pid_t process);

/// The target of the link /proc/PROCESS/NAME; empty when it cannot be read.
std::string link_of(pid_t process, std::string_view name);

/// The value of a line of /proc/PROCESS/status; empty when there is none.
std::string status_field(pid_t process, std::string_view name);

}  // namespace ctl::verify
