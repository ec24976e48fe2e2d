// Opening in procfs: files of processes inside and outside.
#include <fcntl.h>

#include <string_view>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/open_request.h"

namespace linux_backend {
namespace {

/// Splits "/proc/<pid>/rest".
bool process_file(std::string_view path, pid_t& pid, std::string_view& rest) {
    constexpr std::string_view prefix = "/proc/";
    if (path.rfind(prefix, 0) != 0) return false;
    path.remove_prefix(prefix.size());
    pid = 0;
    std::size_t digits = 0;
    while (digits < path.size() && path[digits] >= '0' && path[digits] <= '9' && digits < 9)
        pid = pid * 10 + (path[digits++] - '0');
    if (digits == 0 || digits >= path.size() || path[digits] != '/') return false;
    rest = path.substr(digits + 1);
    constexpr std::string_view task = "task/";
    if (rest.rfind(task, 0) == 0) {
        const std::size_t slash = rest.find('/', task.size());
        rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    }
    return true;
}

/// Files of a process that tell or change what it holds in memory; proc(5).
bool is_private_file(std::string_view name) {
    constexpr std::string_view names[] = {"environ", "mem",     "maps",  "smaps",     "auxv",
                                          "pagemap", "syscall", "stack", "numa_maps", "io"};
    for (const std::string_view known : names)
        if (name == known) return true;
    return false;
}

/// Files that tell of a process outside what ps(1) shows; proc(5).
bool is_public_file(std::string_view name) {
    constexpr std::string_view names[] = {
        "",       "stat",      "statm",     "status",        "cmdline",  "comm",
        "cgroup", "limits",    "sched",     "loginuid",      "mounts",   "mountinfo",
        "task",   "schedstat", "oom_score", "oom_score_adj", "sessionid"};
    for (const std::string_view known : names)
        if (name == known) return true;
    return false;
}

/// Files of a process that it may set for itself; proc(5).
bool is_settable_file(std::string_view name) {
    constexpr std::string_view names[] = {
        "comm",          "oom_score_adj", "oom_adj", "coredump_filter",
        "timerslack_ns", "clear_refs",    "mem",     "autogroup"};
    for (const std::string_view known : names)
        if (name == known) return true;
    return false;
}

}  // namespace

Answer open_in_proc(const Call& call, const OpenRequest& request, const Target& target) {
    pid_t pid = 0;
    std::string_view rest;
    const bool of_process = process_file(target.path, pid, rest);
    const bool inside = of_process && call.broker().members().of(pid) == Membership::inside;
    if (of_process && !inside && (is_private_file(rest) || request.writes()))
        return call.refuse(
            call.broker().policy().decide_outside(policy::Access::inspect),
            Attempt{policy::Access::inspect, request.writes() ? "change" : "read", target.path, {}},
            EACCES);
    if (!request.writes()) {
        // SAFETY: read-only; Landlock's ptrace scope refuses the private files of processes
        // outside, and the caller opens with its own identity.
        if (may_proceed(call)) return Answer::proceed();
        if (of_process && !inside && !is_public_file(rest))
            return call.refuse(call.broker().policy().decide_outside(policy::Access::inspect),
                               Attempt{policy::Access::inspect, "read", target.path, {}}, EACCES);
        return reopen(request, target.object);
    }
    if (inside && is_settable_file(rest)) {
        call.own_identity();
        return reopen(request, target.object);
    }
    if (auto refusal = call.refused(policy::Access::write, target.path, target.id(), "write to"))
        return std::move(*refusal);
    return reopen(request, target.object);
}

}  // namespace linux_backend
