// Closing many descriptors.
#include "os/fd.h"

#include <sys/resource.h>

#include <algorithm>

namespace os {
namespace {

/// Descriptors above were not handed to anybody: the kernel's default limit for a process.
constexpr rlim_t highest = 1U << 20;

}  // namespace

void close_range(unsigned first, unsigned last) {
    if (::close_range(first, last, 0) == 0) return;
    rlimit limit = {highest, highest};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const auto end = static_cast<unsigned>(std::min(limit.rlim_max, highest));
    for (unsigned fd = first; fd <= last && fd < end; ++fd) ::close(static_cast<int>(fd));
}

}  // namespace os
