// Identities of threads by raw system calls: glibc's wrappers would change the whole process.
#include "linux/broker/identity.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "os/fd.h"

namespace linux_backend {
namespace {

thread_local std::optional<Identity> own;      // As the thread started.
thread_local std::optional<Identity> assumed;  // As it acts now, where that differs.

const char* field(const std::string& status, const char* name) {
    const std::size_t at = status.find(name);
    return at == std::string::npos ? nullptr : status.c_str() + at + std::strlen(name);
}

bool set_effective(std::uint64_t effective) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    if (::syscall(SYS_capget, &header, data) != 0) return false;
    data[0].effective = static_cast<std::uint32_t>(effective) & data[0].permitted;
    data[1].effective = static_cast<std::uint32_t>(effective >> 32) & data[1].permitted;
    return ::syscall(SYS_capset, &header, data) == 0;
}

bool become(const Identity& identity) {
    if (::syscall(SYS_setgroups, identity.groups.size(), identity.groups.data()) != 0) return false;
    ::syscall(SYS_setfsgid, identity.group);
    ::syscall(SYS_setfsuid, identity.user);
    // setfsuid(2) does not say whether it worked; asking with an invalid id tells the one in force.
    return static_cast<uid_t>(::syscall(SYS_setfsuid, -1)) == identity.user &&
           static_cast<gid_t>(::syscall(SYS_setfsgid, -1)) == identity.group;
}

}  // namespace

OrErrno<Identity> read_identity(pid_t thread) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/status", thread);
    const os::Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
    if (!fd) return failed(ESRCH);
    std::string status(4096, '\0');
    std::size_t filled = 0;
    for (ssize_t size;
         (size = ::read(fd.get(), status.data() + filled, status.size() - filled)) > 0;) {
        filled += static_cast<std::size_t>(size);
        if (filled == status.size()) status.resize(status.size() * 2);
    }
    status.resize(filled);
    Identity identity;
    const char* mask = field(status, "\nUmask:\t");
    const char* uid = field(status, "\nUid:\t");
    const char* gid = field(status, "\nGid:\t");
    const char* groups = field(status, "\nGroups:\t");
    const char* effective = field(status, "\nCapEff:\t");
    if (!mask || !uid || !gid || !groups || !effective)
        return failed(filled == 0 ? ESRCH : ENOTSUP);
    identity.umask = static_cast<mode_t>(std::strtoul(mask, nullptr, 8));
    std::sscanf(uid, "%*u %*u %*u %u", &identity.user);
    std::sscanf(gid, "%*u %*u %*u %u", &identity.group);
    for (const char* at = groups; *at != '\n' && *at != '\0';) {
        char* end = nullptr;
        const unsigned long value = std::strtoul(at, &end, 10);
        if (end == at) break;
        identity.groups.push_back(static_cast<gid_t>(value));
        at = end;
        while (*at == ' ') ++at;
    }
    identity.capabilities = std::strtoull(effective, nullptr, 16);
    return identity;
}

void prepare_thread_identity(mode_t umask) {
    ::unshare(CLONE_FS);
    ::umask(umask);
    if (auto identity = read_identity(static_cast<pid_t>(::syscall(SYS_gettid)))) own = *identity;
}

OrErrno<void> assume(const Identity& identity) {
    if (!own) return failed(EACCES);
    if (assumed == identity) return {};
    restore_own_identity();
    const bool same_ids = identity.user == own->user && identity.group == own->group &&
                          identity.groups == own->groups;
    assumed = identity;
    ::umask(identity.umask);
    if (!same_ids && !become(identity)) {
        restore_own_identity();
        return failed(EACCES);
    }
    const std::uint64_t keep = own->capabilities & (std::uint64_t{1} << CAP_SYS_PTRACE);
    if (own->capabilities != 0 && !set_effective(identity.capabilities | keep)) {
        restore_own_identity();
        return failed(EACCES);
    }
    return {};
}

void restore_own_identity() {
    if (!assumed || !own) return;
    if (own->capabilities != 0) set_effective(own->capabilities);
    if (assumed->user != own->user || assumed->group != own->group ||
        assumed->groups != own->groups)
        become(*own);
    // Going back to uid 0 raises the file capabilities again; set the exact set once more.
    if (own->capabilities != 0) set_effective(own->capabilities);
    ::umask(own->umask);
    assumed.reset();
}

}  // namespace linux_backend
