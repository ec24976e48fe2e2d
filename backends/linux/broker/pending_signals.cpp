// Reading a thread's signal sets.
#include "linux/broker/pending_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "os/fd.h"

namespace linux_backend {
namespace {

constexpr std::uint64_t bit(int signal) {
    return std::uint64_t{1} << (signal - 1);
}
constexpr std::uint64_t stopping = bit(SIGSTOP) | bit(SIGTSTP) | bit(SIGTTIN) | bit(SIGTTOU);

/// The number after `name` in a status file; 0 when it is not there.
std::uint64_t number(const char* status, const char* name, int base) {
    const char* const at = std::strstr(status, name);
    return at == nullptr ? 0 : std::strtoull(at + std::strlen(name), nullptr, base);
}

}  // namespace

bool has_signal_to_take(pid_t thread) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/status", thread);
    const os::Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
    char status[8192];
    const ssize_t size = fd ? ::read(fd.get(), status, sizeof status - 1) : -1;
    if (size <= 0) return false;
    status[size] = '\0';
    std::uint64_t pending = number(status, "\nSigPnd:", 16);
    // The kernel gives a signal for the whole process to its first thread, if that one does not
    // block it.
    if (number(status, "\nTgid:", 10) == static_cast<std::uint64_t>(thread))
        pending |= number(status, "\nShdPnd:", 16);
    const std::uint64_t caught = number(status, "\nSigCgt:", 16);
    const std::uint64_t ignored = number(status, "\nSigIgn:", 16);
    return (pending & ~number(status, "\nSigBlk:", 16) & (caught | (stopping & ~ignored))) != 0;
}

}  // namespace linux_backend
