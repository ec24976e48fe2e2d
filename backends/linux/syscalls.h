// The table of system calls: one row each, saying what the filter does with it and who serves it.
#pragma once

#include <cstdint>
#include <string_view>

namespace linux_backend {

class Call;
struct Answer;

/// What the seccomp filter does with a call. Conditional kinds look at register arguments only.
enum class Filter : std::uint8_t {
    allow,   ///< Runs natively: harmless under the floor, or acts only on what the caller already
             ///< holds.
    notify,  ///< Always goes to the broker.
    absent,  ///< Answers ENOSYS, so that callers fall back to an older call that is filtered.
    open_flags,     ///< open family: by access mode and read mode; `argument` is the index of the
                    ///< flags.
    clone_flags,    ///< clone(2): to the broker with namespace flags.
    unshare_flags,  ///< unshare(2): to the broker with namespace flags.
    socket_domain,  ///< socket(2): to the broker unless the socket can do no harm by existing.
    socket_option,  ///< setsockopt(2): to the broker for source routes.
    socketpair,     ///< socketpair(2): to the broker unless AF_UNIX.
    ioctl_command,  ///< ioctl(2): to the broker for terminal injection and file attribute commands.
    exit_status,    ///< exit_group(2): to the broker when the status is not 0.
    nonzero,        ///< To the broker when argument `argument` is not 0 (a pid, an address).
    ptrace_request,  ///< ptrace(2): to the broker for ATTACH and SEIZE.
    prctl_option,    ///< prctl(2): answers the nested-start query.
    execution,       ///< exec: to the broker when a rule speaks of running programs.
};

/// Serves one notified call: resolves its objects, decides, performs.
using Handler = Answer (*)(const Call& call);

struct SyscallRow {
    int number;
    const char* name;
    Filter filter;
    Handler handler = nullptr;   ///< Null exactly when the filter never notifies.
    int argument = 0;            ///< Index of the argument that the filter looks at.
    const char* operation = "";  ///< The report's verb phrase, for calls that are always refused
                                 ///< ("mount a file system") or that act on a process ("trace").
};

/// The row of a call; for numbers that we do not know a row that refuses with ENOSYS. Never null.
const SyscallRow& syscall_row(int number);

/// The row for calls through another entry than the native one (i386, x32): refused.
const SyscallRow& foreign_architecture_row();

/// AUDIT_ARCH_* of the table.
extern const std::uint32_t native_architecture;

/// All rows, ordered by number.
struct SyscallTable {
    const SyscallRow* begin_;
    const SyscallRow* end_;
    const SyscallRow* begin() const { return begin_; }
    const SyscallRow* end() const { return end_; }
};
SyscallTable syscall_table();

}  // namespace linux_backend
