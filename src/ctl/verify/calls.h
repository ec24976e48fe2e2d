// Raw system calls as attempts make them: no library stands between an attempt and the kernel.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace ctl::verify {

/// The call with number `number`; -1 and errno when it fails.
template <class... Words>
long call(long number, Words... words) {
    return ::syscall(number, words...);
}

inline int open_path(const std::string& path, int flags, unsigned mode = 0600) {
    return static_cast<int>(call(SYS_openat, AT_FDCWD, path.c_str(), flags, mode));
}

/// Writes `text` to what is open as `descriptor`, which may be -1 from a call that failed; 0 or
/// errno.
int write_text(int descriptor, std::string_view text);

}  // namespace ctl::verify
