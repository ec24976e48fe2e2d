// Signals: to processes inside the kernel sends them itself, to another sandbox of the workspace we
// do, to others nobody. Source: kill(2), tgkill(2), rt_sigqueueinfo(2), pidfd_send_signal(2).
#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/handlers.h"
#include "linux/broker/pidfd.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

constexpr int last_signal = 64;

/// What is sent, whichever call it came by.
struct Signal {
    int number = 0;
    std::optional<siginfo_t> info = {};
    pid_t thread = 0;  ///< The one thread that gets it; 0 for the process.
};

/// The parts of a process's credentials that decide about signals; see kill(2).
struct Rights {
    uid_t real = 0, effective = 0, saved = 0;
    bool any = false;  ///< CAP_KILL.
};

std::optional<Rights> rights_of(pid_t pid) {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/%d/status", pid);
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path, "re"), std::fclose);
    if (!file) return std::nullopt;
    Rights rights;
    char line[256];
    unsigned long long capabilities = 0;
    bool found = false;
    while (std::fgets(line, sizeof line, file.get()) != nullptr) {
        if (std::sscanf(line, "Uid: %u %u %u", &rights.real, &rights.effective, &rights.saved) == 3)
            found = true;
        std::sscanf(line, "CapEff: %llx", &capabilities);
    }
    if (!found) return std::nullopt;
    rights.any = (capabilities >> CAP_KILL & 1) != 0;
    return rights;
}

/// Whether the kernel would let the caller signal `pid` if there were no sandbox.
bool kernel_permits(const Call& call, pid_t pid) {
    const auto from = rights_of(call.caller().thread());
    const auto to = rights_of(pid);
    if (!from || !to) return false;
    if (from->any) return true;
    const auto is_user = [&](uid_t user) { return user == to->real || user == to->saved; };
    return is_user(from->real) || is_user(from->effective);
}

bool exists(pid_t pid) {
    return ::kill(pid, 0) == 0 || errno != ESRCH;
}

Answer refuse(const Call& call, pid_t pid) {
    const policy::Decision decision = call.broker().policy().decide_outside(policy::Access::signal);
    return call.refuse(decision,
                       Attempt{policy::Access::signal, "signal", describe_process(pid), {}}, EPERM);
}

/// Sends on behalf. The pidfd is opened before the process is judged: a process that is alive when
/// the signal is sent is the one that its number meant at that time.
Answer send_as_broker(const Call& call, pid_t pid, const Signal& signal) {
    const pid_t process = Caller(pid).process();
    const os::Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    if (!pidfd) return Answer::error(errno == EINVAL ? ESRCH : errno);
    if (call.broker().members().of(pid) == Membership::outside) return Answer::error(ESRCH);
    if (!kernel_permits(call, pid)) return Answer::error(EPERM);
    if (!call.valid()) return Answer::error(ESRCH);
    siginfo_t info;
    if (signal.info) info = *signal.info;
    siginfo_t* const given = signal.info ? &info : nullptr;
    if (signal.thread == 0)
        return Answer::of(::syscall(SYS_pidfd_send_signal, pidfd.get(), signal.number, given, 0));
    if (given != nullptr)
        return Answer::of(
            ::syscall(SYS_rt_tgsigqueueinfo, process, signal.thread, signal.number, given));
    return Answer::of(::syscall(SYS_tgkill, process, signal.thread, signal.number));
}

Answer to_process(const Call& call, pid_t pid, const Signal& signal) {
    // SAFETY: the numbers are register values, so that the kernel acts on the process that was
    // judged, unless it ends and its number is given anew in between; then Landlock's signal scope
    // holds, where the kernel has it.
    if (pid == call.caller().process()) return Answer::proceed();
    switch (call.broker().members().of(pid)) {
        case Membership::inside:
            return Answer::proceed();
        case Membership::same_workspace:
            return send_as_broker(call, pid, signal);
        case Membership::outside:
            break;
    }
    if (!exists(pid)) return Answer::error(ESRCH);
    if (signal.number < 0 || signal.number > last_signal) return Answer::error(EINVAL);
    if (!kernel_permits(call, pid)) return Answer::error(EPERM);
    return refuse(call, pid);
}

/// Processes of a group, or all, by where they are.
struct Crowd {
    std::vector<pid_t> inside;
    std::vector<pid_t> neighbours;  ///< In other sandboxes of the workspace.
    pid_t outsider = 0;             ///< One of the others.
};

Crowd crowd(const Call& call, const std::function<bool(pid_t, const ProcessStat&)>& belongs) {
    Crowd found;
    const std::unique_ptr<DIR, int (*)(DIR*)> proc(::opendir("/proc"), ::closedir);
    while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
        const auto pid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
        ProcessStat stat;
        if (pid <= 0 || !read_process_stat(pid, stat) || !belongs(pid, stat)) continue;
        switch (call.broker().members().of(pid)) {
            case Membership::inside:
                found.inside.push_back(pid);
                break;
            case Membership::same_workspace:
                found.neighbours.push_back(pid);
                break;
            case Membership::outside:
                found.outsider = pid;
                break;
        }
    }
    return found;
}

/// Sends to each; one that got it is success, as in the kernel.
Answer to_each(const Call& call, std::vector<pid_t> processes, const Signal& signal) {
    // The caller last: the signal may end it, and with it this call.
    std::stable_partition(processes.begin(), processes.end(),
                          [&](pid_t pid) { return pid != call.caller().process(); });
    int error_number = ESRCH;
    bool sent = false;
    for (const pid_t pid : processes) {
        const Answer answer = send_as_broker(call, pid, signal);
        if (answer.kind == Answer::Kind::value) sent = true;
        if (answer.kind == Answer::Kind::error) error_number = answer.error_number;
    }
    return sent ? Answer::value(0) : Answer::error(error_number);
}

Answer to_group(const Call& call, pid_t group, const Signal& signal) {
    const bool scoped = call.broker().floor_scopes_signals();
    // SAFETY: Landlock's signal scope lets the kernel reach those members of a group that are
    // inside, and no other.
    if (scoped && call.broker().members().of(group) == Membership::inside) return Answer::proceed();
    Crowd found =
        crowd(call, [group](pid_t, const ProcessStat& stat) { return stat.group == group; });
    if (found.inside.empty() && found.neighbours.empty())
        return found.outsider != 0 ? refuse(call, found.outsider) : Answer::error(ESRCH);
    if (scoped && found.neighbours.empty()) return Answer::proceed();
    found.inside.insert(found.inside.end(), found.neighbours.begin(), found.neighbours.end());
    return to_each(call, std::move(found.inside), signal);
}

Answer to_own_group(const Call& call, const Signal& signal) {
    // SAFETY: as above; the kernel counts the signal to the caller itself as success.
    if (call.broker().floor_scopes_signals()) return Answer::proceed();
    ProcessStat own;
    if (!read_process_stat(call.caller().process(), own)) return Answer::error(ESRCH);
    return to_group(call, own.group, signal);
}

Answer to_all(const Call& call, const Signal& signal) {
    // SAFETY: as above.
    if (call.broker().floor_scopes_signals()) return Answer::proceed();
    const pid_t self = call.caller().process();
    return to_each(
        call, crowd(call, [self](pid_t pid, const ProcessStat&) { return pid != self; }).inside,
        signal);
}

/// The siginfo_t at argument `index`.
OrErrno<std::optional<siginfo_t>> info_argument(const Call& call, int index) {
    auto info = call.caller().read_object<siginfo_t>(call.argument(index));
    if (!info) return failed(info.error());
    return std::optional<siginfo_t>(*info);
}

}  // namespace

Answer serve_kill(const Call& call) {
    const pid_t pid = call.int_argument(0);
    const Signal signal{call.int_argument(1)};
    if (pid > 0) return to_process(call, pid, signal);
    if (pid == 0) return to_own_group(call, signal);
    if (pid == -1) return to_all(call, signal);
    return pid == INT32_MIN ? Answer::error(ESRCH) : to_group(call, -pid, signal);
}

Answer serve_tkill(const Call& call) {
    const pid_t thread = call.int_argument(0);
    if (thread <= 0) return Answer::error(EINVAL);
    return to_process(call, thread, Signal{call.int_argument(1), {}, thread});
}

Answer serve_tgkill(const Call& call) {
    const pid_t process = call.int_argument(0);
    const pid_t thread = call.int_argument(1);
    if (process <= 0 || thread <= 0) return Answer::error(EINVAL);
    return to_process(call, process, Signal{call.int_argument(2), {}, thread});
}

Answer serve_rt_sigqueueinfo(const Call& call) {
    auto info = info_argument(call, 2);
    if (!info) return Answer::error(info.error());
    const pid_t process = call.int_argument(0);
    if (process <= 0) return Answer::error(ESRCH);
    return to_process(call, process, Signal{call.int_argument(1), *info});
}

Answer serve_rt_tgsigqueueinfo(const Call& call) {
    auto info = info_argument(call, 3);
    if (!info) return Answer::error(info.error());
    const pid_t process = call.int_argument(0);
    const pid_t thread = call.int_argument(1);
    if (process <= 0 || thread <= 0) return Answer::error(EINVAL);
    return to_process(call, process, Signal{call.int_argument(2), *info, thread});
}

Answer serve_pidfd_send_signal(const Call& call) {
    const int number = call.int_argument(0);
    // SAFETY: means the calling thread or process.
    if (number == PIDFD_SELF_THREAD || number == PIDFD_SELF_THREAD_GROUP) return Answer::proceed();
    Signal signal{call.int_argument(1)};
    if (call.argument(2) != 0) {
        auto info = info_argument(call, 2);
        if (!info) return Answer::error(info.error());
        signal.info = *info;
    }
    auto pidfd = call.caller().duplicate(number);
    if (!pidfd) return Answer::error(pidfd.error());
    const auto pid = pidfd_process(call, *pidfd);
    if (!pid) return Answer::error(pid.error());
    const auto flags = static_cast<unsigned>(call.argument(3));
    const bool scoped = call.broker().floor_scopes_signals();
    if ((flags & PIDFD_SIGNAL_PROCESS_GROUP) != 0) return to_group(call, *pid, signal);
    const Membership membership = call.broker().members().of(*pid);
    if (membership == Membership::outside) return to_process(call, *pid, signal);
    // SAFETY: another thread may put another pidfd in this one's place; Landlock's signal scope
    // holds for that one too.
    if (membership == Membership::inside && scoped) return Answer::proceed();
    if (!kernel_permits(call, *pid)) return Answer::error(EPERM);
    if (!call.valid()) return Answer::error(ESRCH);
    return Answer::of(::syscall(SYS_pidfd_send_signal, pidfd->get(), signal.number,
                                signal.info ? &*signal.info : nullptr, flags));
}

}  // namespace linux_backend
