// The broker: the process outside the sandbox that serves every call that the floor does not allow
// by itself.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "launch/plan.h"
#include "linux/broker/associations.h"
#include "linux/broker/denials.h"
#include "linux/broker/git_pointer.h"
#include "linux/broker/holders.h"
#include "linux/broker/ipc_objects.h"
#include "linux/broker/membership.h"
#include "linux/broker/notification.h"
#include "linux/broker/registry.h"
#include "linux/broker/terminals.h"
#include "linux/broker/unclaimed.h"
#include "linux/spares.h"
#include "policy/tree.h"

namespace linux_backend {

/// What the broker knows of the command's start, all decided before it runs.
struct Start {
    pid_t interpreter = 0;
    mode_t umask = 0;
    policy::FileId interpreter_file;
    std::vector<std::string> interpreter_arguments;
    /// Files that the caller handed to the command open for writing: they may be opened again
    /// ("/dev/stderr").
    std::vector<policy::FileId> inherited_writable;
    bool is_inherited(policy::FileId id) const {
        return std::find(inherited_writable.begin(), inherited_writable.end(), id) !=
               inherited_writable.end();
    }
};

/// What the broker has to know of the floor.
struct Ground {
    /// Whether the kernel itself keeps signals inside (Landlock ABI 6).
    bool scopes_signals = false;
    Spares spares;
    /// Every read-only open comes to the broker, and none may proceed: the floor then grants
    /// reading wherever programs run.
    bool observes_reads = false;
    /// A signal cannot take a caller out of a call that was received.
    bool calls_are_finished = true;
};

/// Shared state of the serving threads. Everything here is immutable, atomic or locks itself.
class Broker {
  public:
    /// `workspace_state` is the directory shared by all sandboxes of the workspace, empty when
    /// there is none; `on_denial` is called with each new refusal, from any serving thread.
    Broker(const launch::Plan& plan, const policy::Tree& tree, Start start,
           const std::string& workspace_state,
           std::function<void(const report::Denial&)> on_denial);
    ~Broker();

    /// Gives it the listener that it serves and the floor below it; once, before `serve`.
    void attach(std::unique_ptr<Listener> listener, Ground ground) {
        listener_ = std::move(listener);
        ground_ = std::move(ground);
    }

    const launch::Plan& plan() const { return plan_; }
    const policy::Policy& policy() const { return plan_.policy; }
    const policy::Tree& tree() const { return tree_; }
    const Start& start() const { return start_; }
    Listener& listener() { return *listener_; }
    Denials& denials() { return denials_; }
    Registry& registry() { return registry_; }
    Associations& associations() { return associations_; }
    Listeners& listeners() { return listeners_; }
    Terminals& terminals() { return terminals_; }
    IpcObjects& ipc_objects() { return ipc_objects_; }
    PointerDrafts& pointers() { return pointers_; }
    const Members& members() const { return members_; }
    bool observes_reads() const { return ground_.observes_reads; }
    const Spares& spares() const { return ground_.spares; }
    /// Policy::writable_roots().
    const std::vector<std::string>& cache_roots() const { return cache_roots_; }

    /// Held shared while names are resolved and an operation on them is performed; held alone by
    /// the operations after which an earlier decision could be wrong (renaming a directory, binding
    /// a socket by its path).
    std::shared_mutex& names() { return names_; }

    /// Set for good once a process inside changed its ids or capabilities, or its umask: from then
    /// on each call reads them.
    std::atomic<bool> identity_varies{false};
    std::atomic<bool> umask_varies{false};

    bool floor_scopes_signals() const { return ground_.scopes_signals; }

    /// Device number of /proc.
    dev_t proc_device() const { return proc_device_; }

    /// Serves calls on the calling thread and on more threads as load asks for it, until no caller
    /// can be left.
    void serve();

    /// See Call::on_own_thread. `caller` is the thread that waits.
    void run_apart(std::uint64_t id, pid_t caller, std::function<Answer()> work);

  private:
    struct Apart {
        pthread_t thread = {};
        pid_t caller = 0;
        bool interrupted = false;  ///< For a signal that the caller has to take.
    };

    void serve_one(const seccomp_notif& notification);
    void serve_interruptible(const seccomp_notif& notification);
    Answer perform(const seccomp_notif& notification, Seen* seen);
    enum class Stay : std::uint8_t { always, while_needed };
    void receive_calls(Stay stay);
    void add_receiver();
    /// Finds calls that wait behind one that takes long. Does not return.
    void relieve();
    static bool start_thread(std::function<void()> work);
    void work_apart(std::uint64_t id, const std::function<Answer()>& work);
    void watch_apart();

    const launch::Plan& plan_;
    const policy::Tree& tree_;
    Start start_;
    Ground ground_;
    std::unique_ptr<Listener> listener_;
    Denials denials_;
    Registry registry_;
    Terminals terminals_;
    IpcObjects ipc_objects_;
    Members members_;
    Listeners listeners_{members_};
    Associations associations_{registry_, members_};
    std::vector<std::string> cache_roots_;
    std::shared_mutex names_;
    PointerDrafts pointers_{*this};
    Unclaimed unclaimed_;
    dev_t proc_device_ = 0;
    std::atomic<int> extra_receivers_{0};
    std::atomic<unsigned long> begun_{0};  ///< Calls received, and of these the ones answered.
    std::atomic<unsigned long> ended_{0};
    std::mutex apart_lock_;
    std::map<std::uint64_t, Apart> apart_;  ///< Threads of run_apart by the call they serve.
    bool watching_ = false;
};

}  // namespace linux_backend
