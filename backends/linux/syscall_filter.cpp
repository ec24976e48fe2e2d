// Table rows to BPF. One block of instructions for each kind of row, found by a binary search on
// the call's number.
#include "linux/syscall_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include "linux/ioctl_rules.h"
#include "linux/syscalls.h"

namespace linux_backend {
namespace {

constexpr std::uint32_t x32_bit = 0x40000000;
constexpr std::uint32_t namespace_flags = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                          CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                          CLONE_NEWNET;
constexpr std::uint32_t time_namespace = 0x80;  // CLONE_NEWTIME, for unshare(2) only.
constexpr std::uint32_t large_file =
    0100000;  // The kernel's O_LARGEFILE, which glibc defines as 0.
constexpr std::uint32_t temporary_file = 020000000;  // __O_TMPFILE
constexpr std::uint32_t socket_type_mask = 0xf;

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t notify = SECCOMP_RET_USER_NOTIF;
constexpr std::uint32_t absent = SECCOMP_RET_ERRNO | ENOSYS;

/// Appends instructions; each test either returns from the program or falls through to the next
/// one.
class Program {
  public:
    std::vector<sock_filter> code;

    void load(std::uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
    void load_argument(int index) {
        load(static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * index));
    }
    void load_argument_high(int index) {
        load(static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * index + 4));
    }
    void mask(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
    void give(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
    void give_if_equal(std::uint32_t value, std::uint32_t action) {
        test(BPF_JEQ, value, 0, 1, action);
    }
    void give_unless_equal(std::uint32_t value, std::uint32_t action) {
        test(BPF_JEQ, value, 1, 0, action);
    }
    void give_if_any(std::uint32_t bits, std::uint32_t action) {
        test(BPF_JSET, bits, 0, 1, action);
    }
    void give_if_at_least(std::uint32_t value, std::uint32_t action) {
        test(BPF_JGE, value, 0, 1, action);
    }
    void give_if_above(std::uint32_t value, std::uint32_t action) {
        test(BPF_JGT, value, 0, 1, action);
    }

    /// One test for each value, and one return for all of them.
    void give_if_among(std::span<const std::uint32_t> values, std::uint32_t action) {
        for (std::size_t index = 0; index < values.size(); ++index) {
            const std::size_t left = values.size() - 1 - index;
            add(BPF_JMP | BPF_JEQ | BPF_K, values[index], static_cast<std::uint8_t>(left),
                left == 0 ? 1 : 0);
        }
        give(action);
    }

    /// Begins "if the accumulator is less than `value`"; returns the place to close.
    std::size_t begin_below(std::uint32_t value) {
        add(BPF_JMP | BPF_JGE | BPF_K, value, 0, 0);
        return code.size() - 1;
    }
    /// Begins "if the accumulator equals `value`".
    std::size_t begin_equal(std::uint32_t value) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 0);
        return code.size() - 1;
    }
    /// Closes what began at `place`: from there the other case jumps to here.
    void end(std::size_t place) {
        std::size_t distance = code.size() - place - 1;
        const bool jumps_when_true = code[place].code == (BPF_JMP | BPF_JGE | BPF_K);
        if (distance > longest_test_jump) {
            const sock_filter jump{BPF_JMP | BPF_JA, 0, 0, static_cast<std::uint32_t>(distance)};
            code.insert(code.begin() + static_cast<std::ptrdiff_t>(place) + 1, jump);
            (jumps_when_true ? code[place].jf : code[place].jt) = 1;
            return;
        }
        (jumps_when_true ? code[place].jt : code[place].jf) = static_cast<std::uint8_t>(distance);
    }

  private:
    static constexpr std::size_t longest_test_jump = 255;

    void add(int operation, std::uint32_t k, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
        code.push_back(sock_filter{static_cast<std::uint16_t>(operation), if_true, if_false, k});
    }
    void test(int jump, std::uint32_t k, std::uint8_t if_true, std::uint8_t if_false,
              std::uint32_t action) {
        add(BPF_JMP | jump | BPF_K, k, if_true, if_false);
        give(action);
    }
};

void open_flags(Program& program, int argument, const FilterOptions& options) {
    program.load_argument(argument);
    program.give_if_any(O_PATH, allow);
    if (options.read_mode == policy::ReadMode::observed) return program.give(notify);
    program.give_if_any(O_ACCMODE | O_CREAT | O_TRUNC | temporary_file, notify);
    if (options.notify_directories) program.give_if_any(O_DIRECTORY, notify);
    // Plain readers (fopen, cat, the shell) pass no further flag, or only that of stty(1); the mass
    // readers do, and stay unnotified.
    program.mask(~(large_file | O_NONBLOCK));
    program.give_if_equal(O_RDONLY, notify);
    program.give(allow);
}

void socket_domain(Program& program) {
    program.load_argument(0);
    program.give_if_equal(AF_UNIX, allow);
    const std::size_t netlink = program.begin_equal(AF_NETLINK);
    program.load_argument(2);
    program.give_if_equal(0 /* NETLINK_ROUTE */, allow);
    program.give(notify);
    program.end(netlink);
    program.give_if_above(AF_INET6, notify);
    const std::size_t other = program.begin_below(AF_INET6);
    program.give_unless_equal(AF_INET, notify);
    program.end(other);
    program.load_argument(1);
    program.mask(socket_type_mask);
    program.give_if_at_least(SOCK_RAW, notify);
    program.load_argument(2);
    program.give_if_equal(0, allow);
    program.give_if_equal(6 /* IPPROTO_TCP */, allow);
    program.give_if_equal(17 /* IPPROTO_UDP */, allow);
    program.give(notify);
}

/// Options by which packets to loopback would go to another host: a source route makes it the first
/// that gets them, an interface other than lo has its own route even to 127.0.0.1. Source:
/// socket(7), ip(7), RFC 3542.
constexpr std::uint32_t old_packet_options = 6;  // IPV6_2292PKTOPTIONS
constexpr std::uint32_t socket_routing[] = {SO_BINDTODEVICE, SO_BINDTOIFINDEX};
constexpr std::uint32_t ip_routing[] = {IP_OPTIONS, IP_UNICAST_IF};
constexpr std::uint32_t ipv6_routing[] = {IPV6_RTHDR, old_packet_options, IPV6_PKTINFO,
                                          IPV6_UNICAST_IF};
struct OptionsOfLevel {
    std::uint32_t level;
    std::span<const std::uint32_t> names;
};
constexpr OptionsOfLevel routing_options[] = {
    {SOL_SOCKET, socket_routing},
    {IPPROTO_IP, ip_routing},
    {IPPROTO_IPV6, ipv6_routing},
};

void socket_option(Program& program) {
    program.load_argument(1);
    for (const OptionsOfLevel& options : routing_options) {
        const std::size_t level = program.begin_equal(options.level);
        program.load_argument(2);
        program.give_if_among(options.names, notify);
        program.give(allow);
        program.end(level);
    }
    program.give(allow);
}

void ioctl_command(Program& program) {
    program.load_argument(1);
    program.give_if_among(ioctl_refused, notify);
    program.give_if_among(ioctl_served, notify);
    program.give_if_among(ioctl_allowed, allow);
    program.mask(0xff00);
    std::array<std::uint32_t, ioctl_types.size()> types = ioctl_types;
    for (std::uint32_t& type : types) type <<= 8;
    program.give_if_among(types, notify);
    program.give(allow);
}

void row_block(Program& program, const SyscallRow& row, const FilterOptions& options) {
    switch (row.filter) {
        case Filter::allow:
            return program.give(allow);
        case Filter::notify:
            return program.give(notify);
        case Filter::execution:
            return program.give(options.notify_execution ? notify : allow);
        case Filter::absent:
            return program.give(absent);
        case Filter::open_flags:
            return open_flags(program, row.argument, options);
        case Filter::clone_flags:
        case Filter::unshare_flags:
            program.load_argument(row.argument);
            program.give_if_any(
                namespace_flags | (row.filter == Filter::unshare_flags ? time_namespace : 0),
                notify);
            return program.give(allow);
        case Filter::socket_domain:
            return socket_domain(program);
        case Filter::socket_option:
            return socket_option(program);
        case Filter::socketpair:
            program.load_argument(0);
            program.give_if_equal(AF_UNIX, allow);
            return program.give(notify);
        case Filter::ioctl_command:
            return ioctl_command(program);
        case Filter::exit_status:
            program.load_argument(0);
            program.mask(0xff);
            program.give_if_equal(0, allow);
            return program.give(notify);
        case Filter::nonzero:
            program.load_argument(row.argument);
            program.give_unless_equal(0, notify);
            program.load_argument_high(row.argument);
            program.give_unless_equal(0, notify);
            return program.give(allow);
        case Filter::ptrace_request:
            program.load_argument(0);
            program.give_if_equal(PTRACE_ATTACH, notify);
            program.give_if_equal(PTRACE_SEIZE, notify);
            return program.give(allow);
        case Filter::prctl_option:
            program.load_argument(0);
            program.give_if_equal(nested_query, SECCOMP_RET_ERRNO | nested_answer);
            return program.give(allow);
    }
}

/// What a row comes to when it looks at no argument; rows of one such kind merge into ranges.
bool is_constant(const SyscallRow& row) {
    return row.filter == Filter::allow || row.filter == Filter::notify ||
           row.filter == Filter::absent || row.filter == Filter::execution;
}

/// Calls [first, next range's first) that share one block.
struct Range {
    std::uint32_t first;
    const SyscallRow* row;
};

std::vector<Range> ranges() {
    std::vector<Range> all;
    std::uint32_t expected = 0;
    static const SyscallRow unknown{0, "", Filter::absent};
    for (const SyscallRow& row : syscall_table()) {
        const auto number = static_cast<std::uint32_t>(row.number);
        if (number > expected && (all.empty() || all.back().row->filter != Filter::absent))
            all.push_back({expected, &unknown});
        const bool merges =
            !all.empty() && is_constant(row) && all.back().row->filter == row.filter;
        if (!merges) all.push_back({number, &row});
        expected = number + 1;
    }
    all.push_back({expected, &unknown});
    return all;
}

void search(Program& program, const std::vector<Range>& all, std::size_t from, std::size_t to,
            const FilterOptions& options) {
    if (to - from == 1) return row_block(program, *all[from].row, options);
    const std::size_t middle = from + (to - from) / 2;
    const std::size_t lower = program.begin_below(all[middle].first);
    search(program, all, from, middle, options);
    program.end(lower);
    search(program, all, middle, to, options);
}

}  // namespace

std::vector<sock_filter> build_filter(const FilterOptions& options) {
    Program program;
    program.code.reserve(640);
    program.load(offsetof(seccomp_data, arch));
    program.give_unless_equal(native_architecture, notify);
    program.load(offsetof(seccomp_data, nr));
    program.give_if_at_least(x32_bit, notify);
    const std::vector<Range> all = ranges();
    search(program, all, 0, all.size(), options);
    return program.code;
}

}  // namespace linux_backend
