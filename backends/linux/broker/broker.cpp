// The serving threads.
#include "linux/broker/broker.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "linux/broker/call.h"
#include "linux/broker/handlers.h"
#include "linux/broker/identity.h"
#include "linux/broker/pending_signals.h"
#include "linux/syscalls.h"

namespace linux_backend {
namespace {

/// Threads that receive calls at the same time take turns, each on another processor: one alone is
/// faster, as long as no call has to wait for it.
constexpr int extra_receiver_limit = 15;
/// How long such a thread stays when nothing waits.
constexpr int patience_milliseconds = 20;
/// A call may take long, on a slow disk for instance, and others come meanwhile: looked for at
/// these intervals.
constexpr timespec busy_interval{0, 10'000'000};
constexpr timespec idle_interval{0, 250'000'000};
/// A short command does not need that.
constexpr unsigned long calls_before_relief = 12;
constexpr std::size_t apart_limit = 512;
/// Interrupts a blocking system call of a thread whose caller is gone; its handler does nothing.
constexpr int interruption = SIGURG;
constexpr timespec liveness_interval{0, 200'000'000};

std::string under(const std::string& directory, const char* name) {
    return directory.empty() ? std::string() : directory + "/" + name;
}

}  // namespace

Broker::Broker(const launch::Plan& plan, const policy::Tree& tree, Start start,
               const std::string& workspace_state,
               std::function<void(const report::Denial&)> on_denial)
    : plan_(plan),
      tree_(tree),
      start_(std::move(start)),
      denials_(std::move(on_denial)),
      registry_(under(workspace_state, "sockets")),
      members_(::getpid(), under(workspace_state, "brokers")),
      cache_roots_(plan.policy.writable_roots()) {
    struct stat status;
    if (::stat("/proc", &status) == 0) proc_device_ = status.st_dev;
    struct sigaction nothing = {};
    nothing.sa_handler = [](int) {};
    ::sigaction(interruption, &nothing, nullptr);
}

Broker::~Broker() = default;

void Broker::serve() {
    receive_calls(Stay::always);
}

void Broker::receive_calls(Stay stay) {
    prepare_thread_identity(start_.umask);
    for (;;) {
        if (stay == Stay::while_needed && !listener_->waiting(patience_milliseconds)) break;
        seccomp_notif notification;
        const Listener::Received got = listener_->receive(notification);
        if (got == Listener::Received::closed) break;
        if (got == Listener::Received::nothing) continue;
        // The next call would have to wait for this one.
        if (listener_->waiting(0)) add_receiver();
        if (begun_.fetch_add(1) == calls_before_relief) start_thread([this] { relieve(); });
        serve_one(notification);
        ended_.fetch_add(1);
    }
    if (stay == Stay::while_needed) extra_receivers_.fetch_sub(1);
}

void Broker::add_receiver() {
    if (extra_receivers_.fetch_add(1) < extra_receiver_limit &&
        start_thread([this] { receive_calls(Stay::while_needed); }))
        return;
    extra_receivers_.fetch_sub(1);
}

void Broker::relieve() {
    unsigned long last = 0;
    for (;;) {
        const unsigned long begun = begun_.load();
        ::nanosleep(begun == last ? &idle_interval : &busy_interval, nullptr);
        if (begun_.load() == begun && ended_.load() != begun) add_receiver();
        last = begun;
    }
}

bool Broker::start_thread(std::function<void()> work) {
    try {
        std::thread(std::move(work)).detach();
        return true;
    } catch (const std::system_error&) {
        return false;  // Out of threads: the calls are served one after the other.
    }
}

void Broker::serve_one(const seccomp_notif& notification) {
    if (!ground_.calls_are_finished) return serve_interruptible(notification);
    listener_->send(notification.id, perform(notification, nullptr));
}

void Broker::serve_interruptible(const seccomp_notif& notification) {
    const auto caller = static_cast<pid_t>(notification.pid);
    auto kept = unclaimed_.begin(notification);
    Seen seen;
    Answer answer = kept && kept->left ? Answer::value(kept->result) : perform(notification, &seen);
    if (kept && answer.kind == Answer::Kind::error) answer = Answer::value(kept->result);
    if (kept && seen.arguments == 0) seen = std::move(kept->seen);
    if (answer.kind != Answer::Kind::value) {
        listener_->send(notification.id, std::move(answer));
        return unclaimed_.end(notification, std::nullopt);
    }
    const std::int64_t result = answer.number;
    // A caller that a signal has woken leaves without an answer that comes a moment later, though
    // the kernel accepts it.
    bool leaves = has_signal_to_take(caller);
    leaves |= !listener_->send(notification.id, std::move(answer));
    leaves |= has_signal_to_take(caller);
    unclaimed_.end(notification, Unclaimed::Result{std::move(seen), result, leaves});
}

Answer Broker::perform(const seccomp_notif& notification, Seen* seen) {
    const SyscallRow& row = notification.data.arch == native_architecture
                                ? syscall_row(notification.data.nr)
                                : foreign_architecture_row();
    const Call call(*this, notification, row, seen);
    Answer answer = Answer::error(ENOSYS);
    try {
        pointers_.settle();
        if (row.handler != nullptr) answer = row.handler(call);
    } catch (const std::exception&) {
        answer = Answer::error(ENOMEM);
    }
    restore_own_identity();
    return answer;
}

void Broker::run_apart(std::uint64_t id, pid_t caller, std::function<Answer()> work) {
    const std::scoped_lock hold(apart_lock_);
    if (apart_.size() >= apart_limit) {
        listener_->send(id, Answer::error(EAGAIN));
        return;
    }
    try {
        if (!watching_) {
            std::thread([this] { watch_apart(); }).detach();
            watching_ = true;
        }
        std::thread worker([this, id, work = std::move(work)] { work_apart(id, work); });
        apart_[id] = Apart{worker.native_handle(), caller, false};
        worker.detach();
    } catch (const std::system_error&) {
        listener_->send(id, Answer::error(EAGAIN));
    }
}

void Broker::work_apart(std::uint64_t id, const std::function<Answer()>& work) {
    prepare_thread_identity(start_.umask);
    sigset_t open;
    ::sigemptyset(&open);
    ::sigaddset(&open, interruption);
    ::pthread_sigmask(SIG_UNBLOCK, &open, nullptr);
    Answer answer = Answer::error(ENOMEM);
    try {
        answer = work();
    } catch (const std::exception&) {
    }
    {
        const std::scoped_lock hold(apart_lock_);
        const bool interrupted = apart_[id].interrupted;
        if (interrupted && answer.kind == Answer::Kind::error && answer.error_number == EINTR)
            answer.error_number = restart_error;
        apart_.erase(id);
    }
    listener_->send(id, std::move(answer));
}

void Broker::watch_apart() {
    for (;;) {
        ::nanosleep(&liveness_interval, nullptr);
        const std::scoped_lock hold(apart_lock_);
        for (auto& [id, apart] : apart_) {
            // The order matters: a process that is gone may have left its number to another.
            apart.interrupted = has_signal_to_take(apart.caller);
            const bool gone = !listener_->valid(id);
            if (gone || apart.interrupted) ::pthread_kill(apart.thread, interruption);
        }
    }
}

}  // namespace linux_backend
