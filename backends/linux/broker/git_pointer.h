// Files that name another directory as the repository (`.git`, `commondir`): what is written to one
// comes into force only after a look at where it leads. The reasoning:
// docs/decisions/0004-git-pointers.md.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linux/broker/caller.h"
#include "linux/broker/notification.h"
#include "linux/broker/resolve.h"
#include "os/fd.h"
#include "policy/policy.h"
#include "policy/tree.h"
#include "report/denial.h"

namespace linux_backend {

class Broker;
class Call;

/// Longest pointer that is taken, in bytes: a path and "gitdir: ".
inline constexpr std::size_t git_pointer_limit = 4200;

/// The canonical directory that git would go to from the pointer file `path` with this content,
/// links followed as by the kernel; nothing where there is none. Not a pure function: it looks at
/// the real tree.
std::optional<std::string> follow_git_pointer(const std::string& path, std::string_view content);

/// What git would run if the pointer `path` had this `content`, which leads to `target`: the
/// objectionable parts of a repository that is there already. None for what git itself writes for a
/// worktree or a submodule, nor for a directory that is no repository yet: it cannot become one
/// without a look at it.
std::vector<std::string> pointer_objections(const policy::Tree& tree, const std::string& path,
                                            std::string_view content,
                                            const std::optional<std::string>& target,
                                            std::string_view workspace);

/// How the caller wants to write a pointer.
struct PointerOpen {
    const os::Fd& parent;  ///< O_PATH, its directory.
    std::string name;
    std::uint64_t flags;  ///< open(2)'s.
    mode_t mode;          ///< For a new file; the thread has the caller's umask.
};

/// Pointers that are being written. The writer gets a file without a name; what it holds once
/// nobody can write to it any more is looked at, and a copy installed, or refused and recorded.
/// Thread-safe.
class PointerDrafts {
  public:
    explicit PointerDrafts(Broker& broker) : broker_(broker) {}

    /// Opens a draft for a pointer that may be written by all other rules. `refusal` is recorded if
    /// the content turns out to be refused. Broker::names() is held by the caller of this function.
    Answer open(const PointerOpen& request, report::Denial refusal);

    /// Installs what is complete. To be called without Broker::names(), with the broker's own
    /// identity: before each call that is served, as its outcome may depend on it, and when a
    /// process ended. Cheap when nothing is pending.
    void settle() {
        if (pending_.load(std::memory_order_acquire) != 0) settle_pending();
    }

  private:
    static constexpr std::size_t limit = 64;

    struct Draft {
        os::Fd parent;
        std::string name;
        os::Fd content;         ///< Read-only.
        policy::FileId placed;  ///< What stood at the name when it was opened.
        bool created = false;   ///< It did not exist before.
        report::Denial refusal;
    };

    void settle_pending();
    bool any_complete();
    void finish(Draft draft);
    void watch();

    Broker& broker_;
    std::atomic<int> pending_{0};
    std::mutex lock_;
    std::vector<Draft> drafts_;
    os::Fd closings_;  ///< inotify(7): a writer closed its descriptor.
};

}  // namespace linux_backend
