// Capability sets by raw system calls.
#include "linux/capabilities.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace linux_backend {
namespace {

constexpr int kept[] = {
    CAP_CHOWN,        CAP_DAC_OVERRIDE, CAP_FOWNER,   CAP_FSETID,           CAP_KILL,
    CAP_SETGID,       CAP_SETUID,       CAP_SETPCAP,  CAP_NET_BIND_SERVICE, CAP_LEASE,
    CAP_SYS_RESOURCE, CAP_SYS_NICE,     CAP_IPC_LOCK, CAP_AUDIT_WRITE};

std::uint64_t kept_set(Tracing tracing) {
    std::uint64_t set = tracing == Tracing::keep ? std::uint64_t{1} << CAP_SYS_PTRACE : 0;
    for (const int capability : kept) set |= std::uint64_t{1} << capability;
    return set;
}

}  // namespace

int drop_capabilities(Tracing tracing) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    if (::syscall(SYS_capget, &header, data) != 0) return errno;
    const std::uint64_t keep = kept_set(tracing);
    if (((std::uint64_t{data[1].permitted} << 32) | data[0].permitted) == 0) return 0;
    for (int capability = 0; capability < 64; ++capability) {
        if ((keep >> capability & 1) != 0) continue;
        if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno == EINVAL)
            break;  // Beyond the last one.
    }
    ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    for (int half = 0; half < 2; ++half) {
        const auto mask = static_cast<std::uint32_t>(keep >> (32 * half));
        data[half].effective &= mask;
        data[half].permitted &= mask;
        data[half].inheritable &= mask;
    }
    return ::syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}

}  // namespace linux_backend
