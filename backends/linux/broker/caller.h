// The thread inside that made a call, as seen from the broker.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "os/fd.h"

namespace linux_backend {

/// A value, or the errno to answer.
template <class T>
using OrErrno = tl::expected<T, int>;

/// The errno side of an OrErrno.
inline tl::unexpected<int> failed(int error_number) {
    return tl::unexpected<int>(error_number);
}

/// What was looked at of a call: bytes of its caller's memory, and which of its arguments.
struct Seen {
    struct Memory {
        std::uint64_t address;
        std::string bytes;
    };
    std::vector<Memory> memory;
    unsigned arguments = 0;  ///< One bit for each.
};

/// Whether the thread's memory still reads so.
bool still_reads(pid_t thread, const Seen& seen);

/// Reads and writes the caller's memory and opens what its descriptors name. Whatever it returns
/// may belong to another process if the caller died meanwhile: a Call checks `valid()` before it
/// acts on it. Used by one thread.
class Caller {
  public:
    /// `seen`, when given, gets all that is read.
    explicit Caller(pid_t thread, Seen* seen = nullptr) : thread_(thread), seen_(seen) {}

    /// Thread id (seccomp_notif.pid), in our PID namespace.
    pid_t thread() const { return thread_; }
    /// Its process (thread group); 0 when it is gone.
    pid_t process() const;

    /// Copies `into.size()` bytes from `address`. EFAULT as natively; EACCES when its memory may
    /// not be read.
    OrErrno<void> read(std::uint64_t address, std::span<std::byte> into) const;
    OrErrno<void> write(std::uint64_t address, std::span<const std::byte> from) const;
    /// A path argument: up to PATH_MAX bytes with its NUL, copied once. ENAMETOOLONG, EFAULT.
    OrErrno<std::string> path(std::uint64_t address) const;
    /// A NUL-terminated string of at most `limit` bytes without its NUL; `too_long` is the errno
    /// when it is longer.
    OrErrno<std::string> string(std::uint64_t address, std::size_t limit, int too_long) const;

    template <class T>
    OrErrno<T> read_object(std::uint64_t address) const {
        T object;
        if (auto copied = read(address, std::as_writable_bytes(std::span(&object, 1))); !copied)
            return failed(copied.error());
        return object;
    }

    /// O_PATH descriptor of what the caller's `descriptor` names. EBADF.
    OrErrno<os::Fd> open_path(int descriptor) const;
    /// A duplicate of the caller's descriptor itself (pidfd_getfd(2)). EBADF.
    OrErrno<os::Fd> duplicate(int descriptor) const;
    /// O_PATH descriptor of its working directory.
    OrErrno<os::Fd> working_directory() const;

  private:
    void note(std::uint64_t address, const void* bytes, std::size_t size) const;

    pid_t thread_;
    Seen* seen_;
    mutable pid_t process_ = 0;
};

}  // namespace linux_backend
