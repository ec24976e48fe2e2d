// Which processes are inside this sandbox, or inside another one of the same workspace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace linux_backend {

enum class Membership : std::uint8_t {
    inside,          ///< A descendant of this broker, or a thread of one.
    same_workspace,  ///< Inside another live sandbox of the same workspace.
    outside,         ///< Anything else, our own processes included; also a process that is gone.
};

/// Knows the brokers of this workspace by files "<pid>-<start time>" in a directory. Thread-safe
/// after construction.
class Members {
  public:
    /// `broker` is our own pid; `directory` holds the files of all brokers of this workspace, empty
    /// when there is no state.
    Members(pid_t broker, std::string directory);

    /// Walks the parents of `pid` (a process or thread id) in /proc.
    Membership of(pid_t pid) const;

  private:
    bool is_other_broker(pid_t pid, std::uint64_t start) const;

    pid_t broker_;
    std::string directory_;
};

/// A process's start time in clock ticks since boot (field 22 of /proc/<pid>/stat), and its parent;
/// false when gone.
struct ProcessStat {
    pid_t parent = 0;
    std::uint64_t start = 0;
    pid_t group = 0;
    dev_t terminal = 0;  ///< The controlling one; 0 for none.
    char state = 0;      ///< 'R', 'S', 'T' …
};
bool read_process_stat(pid_t pid, ProcessStat& into);

/// "process 12 (sshd)" for reports.
std::string describe_process(pid_t pid);

}  // namespace linux_backend
