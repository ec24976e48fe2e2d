// Calls that act on a process: its limits, its scheduling, its memory, its descriptors.
#include <fcntl.h>
#include <linux/ioprio.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/handlers.h"
#include "linux/broker/pidfd.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

/// Whether the call looks into a process, rather than changing its limits or its share of the
/// machine.
policy::Access access_of(const SyscallRow& row) {
    switch (row.number) {
        case __NR_prlimit64:
        case __NR_sched_setscheduler:
        case __NR_sched_setparam:
        case __NR_sched_setattr:
        case __NR_sched_setaffinity:
        case __NR_setpriority:
        case __NR_ioprio_set:
            return policy::Access::signal;
        default:
            return policy::Access::inspect;
    }
}

Answer refuse(const Call& call, std::string object) {
    const policy::Access access = access_of(call.row());
    const policy::Decision decision = call.broker().policy().decide_outside(access);
    return call.refuse(decision, Attempt{access, call.row().operation, std::move(object), {}},
                       EPERM);
}

/// Whether the caller may act so on `pid`, a process or thread.
bool may_reach(const Call& call, pid_t pid) {
    if (pid == call.caller().process() || pid == call.caller().thread()) return true;
    switch (call.broker().members().of(pid)) {
        case Membership::inside:
            return true;
        case Membership::same_workspace:
            return access_of(call.row()) == policy::Access::signal;
        case Membership::outside:
            break;
    }
    return false;
}

Answer act_on(const Call& call, pid_t pid) {
    // SAFETY: what looks into a process is under Landlock's ptrace scope. Limits and scheduling are
    // not: the number would have to be given to an outside process of the same user between this
    // answer and the kernel's look-up, that is, the target end, be waited for, and every other
    // number be used up meanwhile. What could be done then is to lower the limits or the priority
    // of that process.
    if (pid <= 0 || may_reach(call, pid)) return Answer::proceed();
    if (::kill(pid, 0) != 0 && errno == ESRCH) return Answer::error(ESRCH);
    return refuse(call, describe_process(pid));
}

}  // namespace

OrErrno<pid_t> pidfd_process(const Call& call, const os::Fd& pidfd) {
    char path[48];
    std::snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd.get());
    const os::Fd information(::open(path, O_RDONLY | O_CLOEXEC));
    char text[1024];
    const ssize_t size = information ? ::read(information.get(), text, sizeof text - 1) : -1;
    const std::string_view lines(text, size > 0 ? static_cast<std::size_t>(size) : 0);
    constexpr std::string_view field = "\nPid:\t";
    if (const std::size_t at = lines.find(field); at != std::string_view::npos) {
        text[size] = '\0';
        const long pid = std::strtol(text + at + field.size(), nullptr, 10);
        if (pid <= 0) return failed(ESRCH);
        return static_cast<pid_t>(pid);
    }
    struct stat status;
    if (::fstat(pidfd.get(), &status) != 0 || status.st_dev != call.broker().proc_device())
        return failed(EBADF);
    const std::string directory = descriptor_path(pidfd.get());
    constexpr std::string_view proc = "/proc/";
    if (directory.rfind(proc, 0) != 0 || !S_ISDIR(status.st_mode)) return failed(EBADF);
    const std::string number = directory.substr(proc.size());
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
        return failed(EBADF);
    return static_cast<pid_t>(std::strtol(number.c_str(), nullptr, 10));
}

Answer serve_process_target(const Call& call) {
    // SAFETY: only reads the limits.
    if (call.row().number == __NR_prlimit64 && call.argument(2) == 0) return Answer::proceed();
    if (call.row().number == __NR_kcmp && call.int_argument(1) > 0 &&
        !may_reach(call, call.int_argument(1)))
        return act_on(call, call.int_argument(1));
    return act_on(call, call.int_argument(call.row().argument));
}

Answer serve_priority_target(const Call& call) {
    const bool io = call.row().number == __NR_ioprio_set;
    const int process = io ? static_cast<int>(IOPRIO_WHO_PROCESS) : static_cast<int>(PRIO_PROCESS);
    const int group = io ? static_cast<int>(IOPRIO_WHO_PGRP) : static_cast<int>(PRIO_PGRP);
    const int user = io ? static_cast<int>(IOPRIO_WHO_USER) : static_cast<int>(PRIO_USER);
    const int which = call.int_argument(0);
    const int who = call.int_argument(1);
    if (which == process) return act_on(call, who);
    if (which == user)
        return refuse(call, who == 0 ? "all processes of the user"
                                     : "all processes of user " + std::to_string(who));
    // SAFETY: the kernel answers EINVAL.
    if (which != group) return Answer::proceed();
    ProcessStat own;
    const pid_t leader = who != 0                                          ? who
                         : read_process_stat(call.caller().process(), own) ? own.group
                                                                           : 0;
    // A group that was begun inside holds processes from inside only: its numbers are used by
    // nobody else.
    if (leader > 0 && may_reach(call, leader)) return Answer::proceed();
    return refuse(call, "process group " + std::to_string(leader));
}

Answer serve_pidfd_target(const Call& call) {
    const int number = call.int_argument(call.row().argument);
    // SAFETY: means the calling thread or process.
    if (number == PIDFD_SELF_THREAD || number == PIDFD_SELF_THREAD_GROUP) return Answer::proceed();
    auto pidfd = call.caller().duplicate(number);
    if (!pidfd) return Answer::error(pidfd.error());
    const auto pid = pidfd_process(call, *pidfd);
    if (!pid) return Answer::error(pid.error());
    if (!call.valid()) return Answer::error(ESRCH);
    // SAFETY: another thread may put another pidfd in this one's place. process_madvise(2) and
    // pidfd_getfd(2) are under Landlock's ptrace scope; process_mrelease(2) acts only on a process
    // that is being killed.
    if (may_reach(call, *pid)) return Answer::proceed();
    return refuse(call, describe_process(*pid));
}

Answer serve_ptrace(const Call& call) {
    // SAFETY: Landlock's ptrace scope holds for attaching; this answer is for the report.
    return act_on(call, call.int_argument(call.row().argument));
}

}  // namespace linux_backend
