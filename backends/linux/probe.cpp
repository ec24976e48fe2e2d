// What this machine can enforce, found out by trying it in a process that ends at once.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <utility>

#include "linux/broker/notification.h"
#include "linux/broker/resolve.h"
#include "linux/floor.h"
#include "linux/sandbox.h"
#include "linux/syscall_filter.h"
#include "os/fd.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

/// Runs `attempt` in a child; its errno, 0 when it worked.
int try_in_child(const std::function<int()>& attempt) {
    const pid_t pid = ::fork();
    if (pid < 0) return errno;
    if (pid == 0) ::_exit(attempt() & 0xff);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

int install_listener(unsigned flags) {
    sock_filter pass[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    const sock_fprog program{1, pass};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                      SECCOMP_FILTER_FLAG_NEW_LISTENER | flags, &program));
}

int try_listener(unsigned flags) {
    return try_in_child([flags] { return install_listener(flags) >= 0 ? 0 : errno; });
}

/// What the broker does with a listener.
int try_listener_operations() {
    return try_in_child([] {
        os::Fd listener(install_listener(0));
        return listener ? KernelListener(std::move(listener)).refused_operation() : errno;
    });
}

int try_sync_wake_up() {
    return try_in_child([] {
        const int listener = install_listener(0);
        if (listener < 0) return errno;
        return ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS,
                       SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP) == 0
                   ? 0
                   : errno;
    });
}

/// Looks into a child as the broker looks into its callers.
int try_descriptor_copy() {
    return try_in_child([] {
        const pid_t pid = ::fork();
        if (pid == 0) {
            ::pause();
            ::_exit(0);
        }
        const os::Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
        int error = pidfd ? 0 : errno;
        const os::Fd copy(static_cast<int>(::syscall(SYS_pidfd_getfd, pidfd.get(), 0, 0)));
        if (pidfd && !copy && errno != EBADF) error = errno;
        ::kill(pid, SIGKILL);
        return error;
    });
}

int try_memory_read() {
    return try_in_child([] {
        static const char text[] = "x";
        const pid_t pid = ::fork();
        if (pid == 0) {
            ::pause();
            ::_exit(0);
        }
        char copy = 0;
        const iovec local{&copy, 1};
        const iovec remote{const_cast<char*>(text), 1};
        const int error = ::process_vm_readv(pid, &local, 1, &remote, 1, 0) == 1 ? 0 : errno;
        ::kill(pid, SIGKILL);
        return error;
    });
}

launch::Capability capability(const char* name, int error, bool required, const std::string& lost) {
    if (error == 0) return {name, true, "works", required};
    return {name, false, std::string(std::strerror(error)) + ": " + lost, required};
}

}  // namespace

bool inside_sandbox() {
    return ::prctl(static_cast<int>(nested_query), 0, 0, 0, 0) == -1 && errno == nested_answer;
}

std::vector<launch::Capability> LinuxSandbox::probe() const {
    const LandlockFeatures landlock = probe_landlock();
    const std::string abi = "ABI " + std::to_string(landlock.abi);
    std::vector<launch::Capability> all;
    all.push_back({"Landlock", landlock.abi > 0,
                   landlock.abi > 0 ? abi : "absent: no command can be run", true});
    all.push_back({"Landlock: TCP", landlock.abi >= 4,
                   abi + (landlock.abi >= 4 ? "" : ": the broker alone refuses connections"),
                   false});
    all.push_back({"Landlock: signals and abstract sockets", landlock.abi >= 6,
                   abi + (landlock.abi >= 6 ? "" : ": the broker alone refuses them"), false});
    const int listener = try_listener(0);
    all.push_back(capability("seccomp notifications", listener, true,
                             listener == EBUSY
                                 ? "another sandbox around us already watches system calls"
                                 : "no command can be run"));
    all.push_back(capability("seccomp: receiving and answering calls", try_listener_operations(),
                             true, "a filter around us keeps the broker from its listener"));
    all.push_back(capability("seccomp: calls not interrupted by signals",
                             try_listener(SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV), false,
                             "a signal can make a call be asked for twice"));
    all.push_back(capability("seccomp: wake-up on one processor", try_sync_wake_up(), false,
                             "brokered calls are slower"));
    all.push_back(capability("pidfd_getfd", try_descriptor_copy(), true, "no command can be run"));
    all.push_back(capability("process_vm_readv", try_memory_read(), true, "no command can be run"));
    all.push_back(capability("openat2", refusal_of_openat2(), true, "no command can be run"));
    const auto proc = problem_of_proc();
    all.push_back({"/proc", !proc,
                   proc ? proc->message() + "; " + proc->remedy : "shows our processes", true});
    return all;
}

}  // namespace linux_backend
