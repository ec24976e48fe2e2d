// A search through /proc/<pid>/fd. Source: proc_pid_fd(5).
#include "linux/broker/holders.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "linux/broker/caller.h"

namespace linux_backend {
namespace {

constexpr std::size_t most_known = 1024;
constexpr pid_t out_of_reach = -1;  // As HeldSocket::process: not to be searched again.

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

/// The inode that a link of /proc/<pid>/fd tells of a socket; 0 for another object.
std::uint64_t socket_of(const Directory& directory, const char* name) {
    char text[64] = "";
    if (::readlinkat(::dirfd(directory.get()), name, text, sizeof text - 1) < 0) return 0;
    std::uint64_t inode = 0;
    return std::sscanf(text, "socket:[%" SCNu64 "]", &inode) == 1 ? inode : 0;
}

bool has(const std::vector<HeldSocket>& sockets, std::uint64_t inode) {
    return std::any_of(sockets.begin(), sockets.end(),
                       [inode](const HeldSocket& socket) { return socket.inode == inode; });
}

/// Those of `inodes` that `process` has open and that are not among `known`.
std::vector<HeldSocket> sockets_of(pid_t process, const std::vector<std::uint64_t>& inodes,
                                   const std::vector<HeldSocket>& known) {
    std::vector<HeldSocket> found;
    const Directory files(::opendir(("/proc/" + std::to_string(process) + "/fd").c_str()),
                          ::closedir);
    while (const dirent* file = files ? ::readdir(files.get()) : nullptr) {
        const std::uint64_t inode = socket_of(files, file->d_name);
        if (inode != 0 && std::find(inodes.begin(), inodes.end(), inode) != inodes.end() &&
            !has(known, inode) && !has(found, inode))
            found.push_back({inode, process, std::atoi(file->d_name)});
    }
    return found;
}

os::Fd duplicate(const HeldSocket& socket) {
    auto copy = Caller(socket.process).duplicate(socket.descriptor);
    struct stat status;
    // Closed meanwhile, and the number or the process is another.
    if (!copy || ::fstat(copy->get(), &status) != 0 || !S_ISSOCK(status.st_mode) ||
        status.st_ino != socket.inode)
        return {};
    return std::move(*copy);
}

}  // namespace

std::vector<HeldSocket> held_inside(const Members& members,
                                    const std::vector<std::uint64_t>& inodes) {
    std::vector<HeldSocket> held;
    const Directory processes(::opendir("/proc"), ::closedir);
    while (const dirent* process = processes ? ::readdir(processes.get()) : nullptr) {
        const pid_t pid = std::atoi(process->d_name);
        if (pid <= 0 || held.size() == inodes.size()) continue;
        const std::vector<HeldSocket> found = sockets_of(pid, inodes, held);
        if (!found.empty() && members.of(pid) != Membership::outside)
            held.insert(held.end(), found.begin(), found.end());
    }
    return held;
}

void Listeners::remember(const HeldSocket& socket) {
    const std::scoped_lock hold(lock_);
    // Those that are closed are not told apart: what is forgotten is searched.
    if (known_.size() >= most_known) known_.clear();
    known_.insert_or_assign(socket.inode, socket);
}

os::Fd Listeners::keep(const std::vector<std::uint64_t>& inodes) {
    std::vector<std::uint64_t> unknown;
    for (const std::uint64_t inode : inodes) {
        const HeldSocket known = recall(inode);
        if (known.process > 0) {
            if (os::Fd copy = duplicate(known)) return copy;
        }
        if (known.process != out_of_reach) unknown.push_back(inode);
    }
    if (unknown.empty()) return {};
    for (const HeldSocket& held : held_inside(members_, unknown)) {
        os::Fd copy = duplicate(held);
        remember(copy ? held : HeldSocket{held.inode, out_of_reach, -1});
        if (copy) return copy;
    }
    return {};
}

HeldSocket Listeners::recall(std::uint64_t inode) {
    const std::scoped_lock hold(lock_);
    const auto entry = known_.find(inode);
    return entry == known_.end() ? HeldSocket{} : entry->second;
}

}  // namespace linux_backend
