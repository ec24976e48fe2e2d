// The filter evaluated in user space, call by call.
#include "linux/syscall_filter.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string>

#include "linux/syscalls.h"

namespace {

using linux_backend::FilterOptions;

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t notify = SECCOMP_RET_USER_NOTIF;

/// Runs a classic BPF program as the kernel does; fails the test on an instruction or jump that the
/// kernel would refuse.
std::uint32_t run(const std::vector<sock_filter>& program, const seccomp_data& data) {
    std::uint32_t accumulator = 0;
    for (std::size_t at = 0; at < program.size(); ++at) {
        const sock_filter& instruction = program[at];
        bool truth = false;
        switch (instruction.code) {
            case BPF_LD | BPF_W | BPF_ABS:
                REQUIRE(instruction.k + 4 <= sizeof data);
                std::memcpy(&accumulator, reinterpret_cast<const char*>(&data) + instruction.k, 4);
                continue;
            case BPF_ALU | BPF_AND | BPF_K:
                accumulator &= instruction.k;
                continue;
            case BPF_RET | BPF_K:
                return instruction.k;
            case BPF_JMP | BPF_JA:
                at += instruction.k;
                continue;
            case BPF_JMP | BPF_JEQ | BPF_K:
                truth = accumulator == instruction.k;
                break;
            case BPF_JMP | BPF_JGE | BPF_K:
                truth = accumulator >= instruction.k;
                break;
            case BPF_JMP | BPF_JGT | BPF_K:
                truth = accumulator > instruction.k;
                break;
            case BPF_JMP | BPF_JSET | BPF_K:
                truth = (accumulator & instruction.k) != 0;
                break;
            default:
                FAIL("instruction ", instruction.code);
        }
        at += truth ? instruction.jt : instruction.jf;
    }
    FAIL("the program runs off its end");
    return 0;
}

std::uint32_t verdict(int number, std::initializer_list<std::uint64_t> arguments,
                      const FilterOptions& options = {}) {
    static FilterOptions last;
    static std::vector<sock_filter> program = linux_backend::build_filter(last);
    if (options.read_mode != last.read_mode ||
        options.notify_directories != last.notify_directories ||
        options.notify_execution != last.notify_execution) {
        last = options;
        program = linux_backend::build_filter(options);
    }
    seccomp_data data = {};
    data.nr = number;
    data.arch = linux_backend::native_architecture;
    std::size_t index = 0;
    for (const std::uint64_t argument : arguments) data.args[index++] = argument;
    return run(program, data);
}

}  // namespace

TEST_CASE("the filter does with every call what its row says") {
    for (const auto& row : linux_backend::syscall_table()) {
        CAPTURE(std::string(row.name));
        switch (row.filter) {
            case linux_backend::Filter::allow:
                CHECK(verdict(row.number, {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL}) == allow);
                break;
            case linux_backend::Filter::notify:
                CHECK(verdict(row.number, {}) == notify);
                break;
            case linux_backend::Filter::absent:
                CHECK(verdict(row.number, {}) == (SECCOMP_RET_ERRNO | ENOSYS));
                break;
            default:
                break;
        }
    }
}

TEST_CASE("a call that no table knows does not exist") {
    int last = 0;
    for (const auto& row : linux_backend::syscall_table()) last = row.number;
    for (int number = last + 1; number < last + 200; ++number)
        CHECK(verdict(number, {}) == (SECCOMP_RET_ERRNO | ENOSYS));
}

TEST_CASE("calls by another entry go to the broker") {
    const auto program = linux_backend::build_filter({});
    seccomp_data data = {};
    data.arch = AUDIT_ARCH_I386;
    for (int number = 0; number < 500; ++number) {
        data.nr = number;
        CHECK(run(program, data) == notify);
    }
    data.arch = linux_backend::native_architecture;
    data.nr = SYS_read | 0x40000000;
    CHECK(run(program, data) == notify);
    data.nr = -1;
    CHECK(run(program, data) == notify);
}

TEST_CASE("opens that write, create or truncate always go to the broker") {
    for (const int flags :
         {O_WRONLY, O_RDWR, O_ACCMODE, O_CREAT, O_TRUNC, O_WRONLY | O_APPEND | O_CLOEXEC,
          O_TMPFILE | O_RDWR, O_RDONLY | O_CREAT | O_CLOEXEC, O_RDONLY | O_TRUNC | O_CLOEXEC}) {
        CAPTURE(flags);
        CHECK(verdict(SYS_openat, {0, 0, static_cast<std::uint64_t>(flags)}) == notify);
        // What the caller leaves in the upper half of the register is not part of the flags.
        CHECK(verdict(SYS_openat, {0, 0, 0xdead00000000 | static_cast<std::uint64_t>(flags)}) ==
              notify);
    }
}

TEST_CASE("with fixed reads only plain readers and listings go to the broker") {
    CHECK(verdict(SYS_openat, {0, 0, O_RDONLY}) == notify);
    CHECK(verdict(SYS_openat, {0, 0, O_RDONLY | 0100000}) == notify);
    CHECK(verdict(SYS_openat, {0, 0, O_RDONLY | O_NONBLOCK}) == notify);
    CHECK(verdict(SYS_openat, {0, 0, O_RDONLY | O_CLOEXEC}) == allow);
    CHECK(verdict(SYS_openat, {0, 0, O_RDONLY | O_NOCTTY | O_NONBLOCK}) == allow);
    CHECK(verdict(SYS_openat, {0, 0, O_PATH}) == allow);
    CHECK(verdict(SYS_openat, {0, 0, O_RDONLY | O_DIRECTORY | O_CLOEXEC}) == notify);
    FilterOptions unnarrowed;
    unnarrowed.notify_directories = false;
    CHECK(verdict(SYS_openat, {0, 0, O_RDONLY | O_DIRECTORY | O_CLOEXEC}, unnarrowed) == allow);
}

TEST_CASE("with observed reads every open goes to the broker") {
    FilterOptions observed;
    observed.read_mode = policy::ReadMode::observed;
    for (const int flags : {O_RDONLY, O_RDONLY | O_CLOEXEC, O_RDONLY | O_DIRECTORY, O_WRONLY})
        CHECK(verdict(SYS_openat, {0, 0, static_cast<std::uint64_t>(flags)}, observed) == notify);
    CHECK(verdict(SYS_openat, {0, 0, O_PATH | O_CLOEXEC}, observed) == allow);
}

TEST_CASE("new namespaces go to the broker, ordinary threads and processes do not") {
    for (const std::uint64_t flag : {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                     CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET}) {
        CHECK(verdict(SYS_clone, {flag | SIGCHLD}) == notify);
        CHECK(verdict(SYS_unshare, {flag}) == notify);
    }
    CHECK(verdict(SYS_unshare, {0x80}) == notify);
    CHECK(verdict(SYS_unshare, {CLONE_FS | CLONE_FILES}) == allow);
    CHECK(verdict(SYS_clone, {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD}) ==
          allow);
    CHECK(verdict(SYS_clone3, {}) == (SECCOMP_RET_ERRNO | ENOSYS));
}

TEST_CASE("only sockets that can do no harm by existing are made unseen") {
    CHECK(verdict(SYS_socket, {AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0}) == allow);
    CHECK(verdict(SYS_socket, {AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0}) == allow);
    CHECK(verdict(SYS_socket, {AF_INET6, SOCK_DGRAM, 17}) == allow);
    CHECK(verdict(SYS_socket, {AF_INET, SOCK_STREAM, 262}) == notify);
    CHECK(verdict(SYS_socket, {AF_INET, SOCK_RAW, 1}) == notify);
    CHECK(verdict(SYS_socket, {AF_INET, SOCK_DGRAM, 1}) == notify);
    CHECK(verdict(SYS_socket, {AF_NETLINK, SOCK_RAW, 0}) == allow);
    CHECK(verdict(SYS_socket, {AF_NETLINK, SOCK_RAW, 9}) == notify);
    for (const std::uint64_t domain :
         {AF_UNSPEC, AF_AX25, AF_PACKET, AF_ALG, AF_VSOCK, AF_BLUETOOTH, AF_XDP, AF_APPLETALK})
        CHECK(verdict(SYS_socket, {domain, SOCK_STREAM, 0}) == notify);
    CHECK(verdict(SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0}) == allow);
    CHECK(verdict(SYS_socketpair, {AF_INET, SOCK_STREAM, 0}) == notify);
}

TEST_CASE("socket options that choose another way for packets are seen, others are not") {
    for (const std::uint64_t name : {SO_BINDTODEVICE, SO_BINDTOIFINDEX})
        CHECK(verdict(SYS_setsockopt, {3, SOL_SOCKET, name}) == notify);
    for (const std::uint64_t name : {IP_OPTIONS, IP_UNICAST_IF})
        CHECK(verdict(SYS_setsockopt, {3, IPPROTO_IP, name}) == notify);
    for (const std::uint64_t name : {IPV6_RTHDR, 6, IPV6_PKTINFO, IPV6_UNICAST_IF})
        CHECK(verdict(SYS_setsockopt, {3, IPPROTO_IPV6, name}) == notify);
    for (const std::uint64_t name : {SO_REUSEADDR, SO_RCVBUF, SO_KEEPALIVE})
        CHECK(verdict(SYS_setsockopt, {3, SOL_SOCKET, name}) == allow);
    CHECK(verdict(SYS_setsockopt, {3, IPPROTO_TCP, 1 /* TCP_NODELAY */}) == allow);
    CHECK(verdict(SYS_setsockopt, {3, IPPROTO_IP, IP_TOS}) == allow);
    CHECK(verdict(SYS_setsockopt, {3, IPPROTO_IPV6, IPV6_V6ONLY}) == allow);
}

TEST_CASE("an exit is seen only when it says failure") {
    CHECK(verdict(SYS_exit_group, {0}) == allow);
    CHECK(verdict(SYS_exit_group, {256}) == allow);
    CHECK(verdict(SYS_exit_group, {1}) == notify);
    CHECK(verdict(SYS_exit_group, {static_cast<std::uint64_t>(-1)}) == notify);
}

TEST_CASE("typing into a terminal and opening its other end is seen, asking about it is not") {
    CHECK(verdict(SYS_ioctl, {0, TIOCGPTPEER}) == notify);
    CHECK(verdict(SYS_ioctl, {0, TIOCGPTN}) == allow);
    CHECK(verdict(SYS_ioctl, {0, TIOCSTI}) == notify);
    CHECK(verdict(SYS_ioctl, {0, 0xffffffff00000000 | TIOCSTI}) == notify);
    CHECK(verdict(SYS_ioctl, {0, TIOCLINUX}) == notify);
    CHECK(verdict(SYS_ioctl, {0, TCGETS}) == allow);
    CHECK(verdict(SYS_ioctl, {0, TIOCGWINSZ}) == allow);
    CHECK(verdict(SYS_ioctl, {0, FIONREAD}) == allow);
}

TEST_CASE("a pointer or pid that is not zero is seen in both halves of the register") {
    CHECK(verdict(SYS_sendto, {3, 0, 0, 0, 0, 0}) == allow);
    CHECK(verdict(SYS_sendto, {3, 0, 0, 0, 0x100000000, 16}) == notify);
    CHECK(verdict(SYS_sendto, {3, 0, 0, 0, 8, 16}) == notify);
}

TEST_CASE("attaching to a process is seen, being traced by a parent is not") {
    CHECK(verdict(SYS_ptrace, {PTRACE_ATTACH}) == notify);
    CHECK(verdict(SYS_ptrace, {PTRACE_SEIZE}) == notify);
    CHECK(verdict(SYS_ptrace, {PTRACE_TRACEME}) == allow);
}

TEST_CASE("a nested start is told by the filter itself") {
    CHECK(verdict(SYS_prctl, {linux_backend::nested_query}) ==
          (SECCOMP_RET_ERRNO | linux_backend::nested_answer));
    CHECK(verdict(SYS_prctl, {PR_SET_NAME}) == allow);
}

TEST_CASE("programs are observed only when a rule speaks of them") {
    FilterOptions observed;
    observed.notify_execution = true;
    CHECK(verdict(SYS_execve, {}, observed) == notify);
    CHECK(verdict(SYS_execveat, {}, observed) == notify);
    CHECK(verdict(SYS_execve, {}) == allow);
}

TEST_CASE("the program stays far below the kernel's limit") {
    CHECK(linux_backend::build_filter({}).size() < BPF_MAXINSNS / 2);
}
