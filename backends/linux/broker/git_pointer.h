// Files that name another directory as the repository (`.git`, `commondir`): what is written to one
// comes into force only after a look at where it leads. The reasoning:
// docs/decisions/0001-git-pointers.md.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "linux/broker/caller.h"
#include "linux/broker/checked_copy.h"
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

/// How far a pointer has come, and what it replaces.
enum class PointerStage : std::uint8_t {
    partial,    ///< It is still being written.
    replacing,  ///< Complete, in place of another.
    fresh,      ///< Complete, where there was none.
};

/// What the judgement on a pointer needs.
struct Pointer {
    const std::string& path;
    std::string_view content;
    std::optional<std::string> target;  ///< By follow_git_pointer.
    PointerStage stage;
};

struct PointerVerdict {
    std::vector<std::string> objections;  ///< Empty when it may stand.
    bool dangerous = false;               ///< It leads to a repository that runs something.
};

/// Judges by where the pointer leads. What git itself writes for a worktree or a submodule passes.
/// So does one to a repository whose config and hooks run nothing, and a fresh one to a place that
/// is no repository yet, if that may be written, so that it would be made inside, where each step
/// is looked at.
PointerVerdict judge_pointer(const policy::Policy& policy, const policy::Tree& tree,
                             const Pointer& pointer);

/// How the caller wants to write a pointer.
struct PointerOpen {
    const os::Fd& parent;  ///< O_PATH, its directory.
    std::string name;
    std::uint64_t flags;  ///< open(2)'s.
    mode_t mode;          ///< For a new file; the thread has the caller's umask.
};

/// Pointers that are being written. The writer has the file itself, but nobody may open it: its
/// mode is 0 until its content was looked at, once nobody can write to it any more. Then a copy
/// takes its place, or what stood there before. For root, whom modes do not stop, each write is
/// looked at when it is made, and the first refusal ends all writing of pointers. Thread-safe.
class PointerDrafts {
  public:
    explicit PointerDrafts(Broker& broker) : broker_(broker) {}
    ~PointerDrafts();
    PointerDrafts(const PointerDrafts&) = delete;
    PointerDrafts& operator=(const PointerDrafts&) = delete;

    /// Opens a pointer that may be written by all other rules. EACCES when it cannot be opened in
    /// this way (for reading as well, too long, of another owner) or was refused before: then the
    /// caller records it. `refusal` is recorded if the content turns out to be refused.
    /// Broker::names() is held by the caller of this function.
    OrErrno<os::Fd> open(const PointerOpen& request, report::Denial refusal);

    /// Settles what is complete. To be called without Broker::names(), with the broker's own
    /// identity: before each call that is served, as its outcome may depend on it, and when a
    /// process ended. Cheap when nothing is pending.
    void settle() {
        if (pending_.load(std::memory_order_acquire) != 0) settle_pending();
    }

    /// Settles, and tries again for at most so long while something is pending: a writer that ended
    /// may have had its last descriptor from a thread of ours that has not let go of it yet.
    void settle_within(std::chrono::milliseconds time);

  private:
    static constexpr std::size_t limit = 64;

    struct Draft {
        os::Fd parent;
        std::string name;
        os::Fd content;  ///< The file itself, read-only.
        Content before;  ///< What stood there, and the mode that is due to it; without text when it
                         ///< is new.
        bool created = false;
        report::Denial refusal;
    };
    /// Nothing while it is being written and nothing speaks against it so far.
    std::optional<PointerVerdict> examine(const Draft& draft) const;
    void settle_pending();
    bool any_settled();
    void finish(Draft draft, const PointerVerdict& verdict);
    void watch();
    void settle_on_events();

    Broker& broker_;
    std::atomic<int> pending_{0};
    std::mutex lock_;
    std::vector<Draft> drafts_;
    os::Fd events_;  ///< inotify(7): a draft was written to or closed.
    os::Fd stop_;    ///< eventfd(2): the watcher is to end.
    std::thread watcher_;
    bool dangerous_before_ = false;
};

}  // namespace linux_backend
