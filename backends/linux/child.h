// The last steps of the process that becomes the command: nothing here allocates or locks.
#pragma once

#include <linux/filter.h>
#include <signal.h>
#include <sys/types.h>

namespace linux_backend {

/// Everything that the child needs, decided before fork.
struct Entry {
    const char* path = nullptr;
    char* const* arguments = nullptr;
    char* const* environment = nullptr;
    sock_fprog filter = {};
    pid_t group = 0;     ///< Process group of the caller, which the command rejoins.
    sigset_t mask = {};  ///< Signal mask at the caller's exec.
    struct sigaction child_action =
        {};  ///< What the caller had set for SIGCHLD: default or ignored.
    struct sigaction pipe_action = {};       ///< For SIGPIPE.
    struct sigaction file_size_action = {};  ///< For SIGXFSZ.
    /// Stream socket to the broker: what the child has to say (ChildNews), and, when all is ready,
    /// the floor's ruleset from there.
    int channel = -1;
    bool drop_privileges = false;  ///< There are capabilities to drop.
};

/// What the child tells the broker on the channel.
struct ChildNews {
    enum class Stage : int {
        listener,
        group,
        no_new_privileges,
        capabilities,
        floor,
        filter,
        execute
    } stage;
    int value;                    ///< The listener's descriptor number in the child, or an errno.
    bool waits_killable = false;  ///< SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV is in force.
};

/// Puts filter and floor in force and executes the command. Does not return.
[[noreturn]] void become_command(const Entry& entry);

}  // namespace linux_backend
