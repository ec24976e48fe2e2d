// Effects that let the network reach in, or see what passes there.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/if_ether.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/time.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"
#include "ctl/verify/procfs.h"
#include "ctl/verify/sockets.h"

namespace ctl::verify {
namespace {

using policy::Access;

// --- What is tried. ---

/// Waits with a socket that is bound, and listens where it can.
int hold_bound(int type, std::uint32_t host, const std::string& port) {
    const int socket = open_socket(AF_INET, type);
    const Address address = internet_address(host, static_cast<unsigned>(std::atoi(port.c_str())));
    if (call(SYS_bind, socket, &address.storage, address.size) != 0) return errno;
    if (type == SOCK_STREAM && call(SYS_listen, socket, 1) != 0) return errno;
    return hold(getpid());
}

int listen_everywhere(const Arguments& a) {
    return hold_bound(SOCK_STREAM, INADDR_ANY, a[0]);
}

int listen_on_network(const Arguments& a) {
    return hold_bound(SOCK_STREAM, ntohl(inet_addr(a[1].c_str())), a[0]);
}

int receive_everywhere(const Arguments& a) {
    return hold_bound(SOCK_DGRAM, INADDR_ANY, a[0]);
}

int listen_unbound(const Arguments&) {
    if (call(SYS_listen, open_socket(AF_INET, SOCK_STREAM), 1) != 0) return errno;
    return hold(getpid());
}

int capture_packets(const Arguments&) {
    if (open_socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL)) < 0) return errno;
    return hold(getpid());
}

int send_raw(const Arguments&) {
    if (open_socket(AF_INET, SOCK_RAW, IPPROTO_RAW) < 0) return errno;
    return hold(getpid());
}

// --- How it is seen. ---

/// The lines of the kernel's list `file` that are of sockets of the held process.
std::vector<std::string> listed(const Seen& seen, const std::string& file) {
    std::vector<std::string> lines;
    const std::string list = content_of_kernel_file(file);
    for (const std::string& link : descriptor_links(seen.held)) {
        if (!link.starts_with("socket:[")) continue;
        const std::string inode = " " + link.substr(8, link.size() - 9) + " ";
        for (std::size_t at = 0; at < list.size();) {
            const std::size_t end = std::min(list.find('\n', at), list.size());
            std::string line = list.substr(at, end - at) + " ";
            at = end + 1;
            if (line.find(inode) != std::string::npos) lines.push_back(std::move(line));
        }
    }
    return lines;
}

/// An IPv4 address of this machine that is not for itself alone.
std::optional<std::string> network_address() {
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) return std::nullopt;
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
    for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
        const bool useful = (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
        if (!useful || one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
        char text[INET_ADDRSTRLEN];
        const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
        if (inet_ntop(AF_INET, &address->sin_addr, text, sizeof text) != nullptr) return text;
    }
    return std::nullopt;
}

/// The port behind the local address of a line of the kernel's list: "  0: 00000000:1F90 …".
unsigned port_of(const std::string& line) {
    unsigned port = 0;
    return std::sscanf(line.c_str(), " %*u: %*[0-9A-F]:%x", &port) == 1 ? port : 0;
}

/// Whether a socket of the held process is reached by `address` from here.
bool is_reached(const Seen& seen, const std::string& address, int type) {
    const char* const file = type == SOCK_STREAM ? "/proc/net/tcp" : "/proc/net/udp";
    for (const std::string& line : listed(seen, file)) {
        const Address there = internet_address(ntohl(inet_addr(address.c_str())), port_of(line));
        const os::Fd socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
        const auto* name = reinterpret_cast<const sockaddr*>(&there.storage);
        const timeval wait = {1, 0};
        setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
        if (connect(socket.get(), name, there.size) != 0) continue;
        if (type == SOCK_STREAM) return true;
        // A datagram that was taken in shows in the queue; an empty one looks so.
        constexpr std::string_view empty_queue = " 00000000:00000000 ";
        if (send(socket.get(), "hello", 5, 0) < 0) continue;
        for (const std::string& after : listed(seen, file)) {
            if (after.find(empty_queue) == std::string::npos) return true;
        }
    }
    return false;
}

/// A port that was free a moment ago. Arguments: the port; an address of the network. It happened
/// when the attempt waits with a socket that is reached by that address.
core::Result<Stage> free_port(int type) {
    const auto address = network_address();
    if (!address) {
        return core::fail(
            core::Error{"try it", "network", 0, "there is no address but those of loopback", ""});
    }
    const os::Fd socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
    const Address any = internet_address(INADDR_ANY, 0);
    if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&any.storage), any.size) != 0)
        return core::fail(core::system_error("find", "a free port"));
    const std::string port = std::to_string(bound_port(socket.get()));
    Stage stage;
    stage.arguments = {port, *address};
    stage.object = *address + ":" + port + (type == SOCK_DGRAM ? "/udp" : "");
    stage.happened = [address = *address, type](const Seen& seen) {
        return is_reached(seen, address, type);
    };
    return stage;
}

core::Result<Stage> free_tcp_port(Ground&) {
    return free_port(SOCK_STREAM);
}

core::Result<Stage> free_udp_port(Ground&) {
    return free_port(SOCK_DGRAM);
}

core::Result<Stage> packets(Ground&) {
    Stage stage;
    stage.happened = [](const Seen& seen) { return !listed(seen, "/proc/net/packet").empty(); };
    return stage;
}

core::Result<Stage> raw_socket(Ground&) {
    Stage stage;
    stage.happened = [](const Seen& seen) { return !listed(seen, "/proc/net/raw").empty(); };
    return stage;
}

constexpr Effect effects[] = {
    {"network.listen", "listen to the network on every address", free_tcp_port, listen_everywhere,
     Access::bind},
    {"network.listen-network", "listen on an address of the network", free_tcp_port,
     listen_on_network, Access::bind},
    {"network.listen-unbound", "listen to the network without an address", free_tcp_port,
     listen_unbound, Access::bind},
    {"network.receive", "receive datagrams from the network", free_udp_port, receive_everywhere,
     Access::bind},
    {"network.packet", "capture packets", packets, capture_packets, Access::kernel},
    {"network.raw", "make a raw socket", raw_socket, send_raw, Access::kernel},
};

}  // namespace

std::span<const Effect> listener_effects() {
    return effects;
}

}  // namespace ctl::verify
