// Ancestry by /proc/<pid>/stat. Source: proc(5).
#include "linux/broker/membership.h"

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "os/fd.h"

namespace linux_backend {
namespace {

/// Deeper trees of processes than this are taken as outside.
constexpr int depth_limit = 4096;

/// The text of /proc/<pid>/stat and where its command name stands in it; false when the process is
/// gone.
struct StatText {
    char text[1024];
    const char* name_begin = nullptr;
    const char* name_end = nullptr;

    bool load(pid_t pid) {
        char path[32];
        std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
        const os::Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
        const ssize_t size = fd ? ::read(fd.get(), text, sizeof text - 1) : -1;
        if (size <= 0) return false;
        text[size] = '\0';
        // The name may itself hold parentheses and spaces: it ends at the last one.
        name_begin = std::strchr(text, '(');
        name_end = std::strrchr(text, ')');
        if (name_begin == nullptr || name_end == nullptr) return false;
        ++name_begin;
        return true;
    }
};

}  // namespace

bool read_process_stat(pid_t pid, ProcessStat& into) {
    StatText stat;
    if (pid <= 0 || !stat.load(pid)) return false;
    unsigned long long start = 0;
    unsigned terminal = 0;
    const int fields =
        std::sscanf(stat.name_end,
                    ") %c %d %d %*d %u %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                    "%*d %llu",
                    &into.state, &into.parent, &into.group, &terminal, &start);
    into.start = start;
    // The kernel's own form: the minor number is split around the major one.
    into.terminal = makedev(terminal >> 8 & 0xfff, (terminal >> 12 & 0xfff00) | (terminal & 0xff));
    return fields == 5;
}

std::string describe_process(pid_t pid) {
    std::string description = "process " + std::to_string(pid);
    StatText stat;
    if (pid > 0 && stat.load(pid))
        description += " (" + std::string(stat.name_begin, stat.name_end) + ")";
    return description;
}

Members::Members(pid_t broker, std::string directory)
    : broker_(broker), directory_(std::move(directory)) {}

Membership Members::of(pid_t pid) const {
    ProcessStat stat;
    if (pid == broker_ || !read_process_stat(pid, stat)) return Membership::outside;
    for (int depth = 0; depth < depth_limit; ++depth) {
        const pid_t parent = stat.parent;
        if (parent == broker_) return Membership::inside;
        if (parent <= 1) return Membership::outside;
        ProcessStat parent_stat;
        const bool read = read_process_stat(parent, parent_stat);
        // A parent that ended meanwhile left its child to another one, and its pid perhaps to a
        // stranger.
        ProcessStat again;
        if (!read_process_stat(pid, again) || again.start != stat.start) return Membership::outside;
        if (!read || again.parent != parent) {
            stat = again;
            continue;
        }
        if (is_other_broker(parent, parent_stat.start)) return Membership::same_workspace;
        pid = parent;
        stat = parent_stat;
    }
    return Membership::outside;
}

bool Members::is_other_broker(pid_t pid, std::uint64_t start) const {
    if (directory_.empty()) return false;
    const std::string file = directory_ + "/" + std::to_string(pid) + "-" + std::to_string(start);
    return ::access(file.c_str(), F_OK) == 0;
}

}  // namespace linux_backend
