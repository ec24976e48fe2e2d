// Bound sockets by NETLINK_SOCK_DIAG, which takes microseconds; by /proc/net, which takes
// milliseconds, without it.
#include "linux/broker/bound_sockets.h"

#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "os/fd.h"

namespace linux_backend {
namespace {

constexpr std::size_t reply_size = 32768;

struct DiagRequest {
    nlmsghdr header;
    inet_diag_req_v2 body;
};

DiagRequest diag_request(int family, Transport transport) {
    DiagRequest request = {};
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.body.sdiag_family = static_cast<std::uint8_t>(family);
    request.body.sdiag_protocol = transport == Transport::stream ? IPPROTO_TCP : IPPROTO_UDP;
    request.body.idiag_states = transport == Transport::stream ? 1U << TCP_LISTEN : ~0U;
    return request;
}

void put_address(const InternetAddress& address, std::uint32_t* words, std::uint16_t& port) {
    const std::size_t skipped = address.is_v4() ? 12 : 0;
    std::memcpy(words, address.bytes.data() + skipped, address.bytes.size() - skipped);
    port = htons(address.port);
}

BoundSocket from_diag(const nlmsghdr& header, const inet_diag_msg& message) {
    BoundSocket socket;
    socket.inode = message.idiag_inode;
    socket.v6 = message.idiag_family == AF_INET6;
    const std::uint16_t port = ntohs(message.id.idiag_sport);
    if (socket.v6) {
        std::memcpy(socket.address.bytes.data(), message.id.idiag_src, socket.address.bytes.size());
        socket.address.port = port;
    } else {
        socket.address = InternetAddress::v4(ntohl(message.id.idiag_src[0]), port);
    }
    auto* attribute = reinterpret_cast<const rtattr*>(&message + 1);
    auto left = static_cast<int>(header.nlmsg_len - NLMSG_LENGTH(sizeof message));
    for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
        if (attribute->rta_type == INET_DIAG_SKV6ONLY)
            socket.v6_only = *static_cast<const std::uint8_t*>(RTA_DATA(attribute)) != 0;
    }
    return socket;
}

/// Appends the sockets of one family; false when the kernel does not answer in full.
bool ask_diag(int fd, int family, Transport transport, std::uint16_t port,
              std::vector<BoundSocket>& found) {
    const DiagRequest request = diag_request(family, transport);
    if (::send(fd, &request, sizeof request, 0) < 0) return false;
    alignas(nlmsghdr) std::array<char, reply_size> reply;
    for (;;) {
        const ssize_t size = ::recv(fd, reply.data(), reply.size(), 0);
        if (size <= 0) return false;
        auto left = static_cast<unsigned>(size);
        for (auto* header = reinterpret_cast<nlmsghdr*>(reply.data()); NLMSG_OK(header, left);
             header = NLMSG_NEXT(header, left)) {
            if (header->nlmsg_flags & NLM_F_DUMP_INTR) return false;
            if (header->nlmsg_type == NLMSG_DONE) return true;
            if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY) return false;
            const auto* message = static_cast<const inet_diag_msg*>(NLMSG_DATA(header));
            if (ntohs(message->id.idiag_sport) == port)
                found.push_back(from_diag(*header, *message));
        }
    }
}

std::optional<std::vector<BoundSocket>> by_diag(Transport transport, std::uint16_t port) {
    const os::Fd fd(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    if (!fd) return std::nullopt;
    std::vector<BoundSocket> found;
    for (const int family : {AF_INET, AF_INET6}) {
        if (!ask_diag(fd.get(), family, transport, port, found)) return std::nullopt;
    }
    return found;
}

std::optional<std::vector<BoundSocket>> by_proc(Transport transport, std::uint16_t port) {
    std::vector<BoundSocket> found;
    const char* const name =
        transport == Transport::stream ? "/proc/thread-self/net/tcp" : "/proc/thread-self/net/udp";
    for (const char* const suffix : {"", "6"}) {
        std::ifstream file(std::string(name) + suffix);
        // Without IPv6 in the kernel there is no such file, and no such socket.
        if (!file && *suffix != '\0' && errno == ENOENT) continue;
        std::string line;
        if (!std::getline(file, line)) return std::nullopt;
        while (std::getline(file, line)) {
            const auto socket = parse_internet_line(line, transport);
            if (socket && socket->address.port == port) found.push_back(*socket);
        }
    }
    return found;
}

/// Addresses stand there as 32-bit words in the byte order of the machine.
bool parse_words(const char* text, std::size_t words, std::uint8_t* into) {
    for (std::size_t index = 0; index < words; ++index) {
        std::uint32_t word = 0;
        if (std::sscanf(text + index * 8, "%8x", &word) != 1) return false;
        std::memcpy(into + index * sizeof word, &word, sizeof word);
    }
    return true;
}

bool covers(const InternetAddress& bound, const InternetAddress& destination) {
    return bound.is_any() || bound.bytes == destination.bytes;
}

}  // namespace

std::optional<std::vector<BoundSocket>> bound_sockets(Transport transport, std::uint16_t port) {
    if (auto found = by_diag(transport, port)) return found;
    return by_proc(transport, port);
}

std::uint64_t other_end(const InternetAddress& own, const InternetAddress& peer) {
    constexpr std::uint32_t loopback = 1;  // LOOPBACK_IFINDEX: where both ends are
    const os::Fd fd(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    DiagRequest request = diag_request(peer.is_v4() ? AF_INET : AF_INET6, Transport::stream);
    request.header.nlmsg_flags = NLM_F_REQUEST;
    request.body.idiag_states = ~0U;
    inet_diag_sockid& id = request.body.id;
    put_address(peer, id.idiag_src, id.idiag_sport);
    put_address(own, id.idiag_dst, id.idiag_dport);
    id.idiag_if = loopback;
    id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    if (!fd || ::send(fd.get(), &request, sizeof request, 0) < 0) return 0;
    alignas(nlmsghdr) std::array<char, 1024> reply;
    const ssize_t size = ::recv(fd.get(), reply.data(), reply.size(), 0);
    const auto* header = reinterpret_cast<const nlmsghdr*>(reply.data());
    if (size < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(inet_diag_msg))) ||
        header->nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return 0;
    const auto* message = static_cast<const inet_diag_msg*>(NLMSG_DATA(header));
    // A listener is found when there is no such connection.
    return message->idiag_state == TCP_LISTEN ? 0 : message->idiag_inode;
}

bool receives(const BoundSocket& socket, const InternetAddress& destination) {
    if (!destination.is_v4())
        return socket.v6 && !socket.address.is_v4() && covers(socket.address, destination);
    if (socket.v6 && (socket.v6_only || (!socket.address.is_v4() && !socket.address.is_any())))
        return false;
    return covers(socket.address, destination);
}

std::optional<BoundSocket> parse_internet_line(const std::string& line, Transport transport) {
    char local[33] = "";
    unsigned port = 0;
    unsigned state = 0;
    unsigned long inode = 0;
    if (std::sscanf(line.c_str(),
                    " %*u: %32[0-9A-F]:%x %*[0-9A-F]:%*x %x %*x:%*x %*x:%*x %*x %*u %*u %lu", local,
                    &port, &state, &inode) != 4)
        return std::nullopt;
    if (transport == Transport::stream && state != TCP_LISTEN) return std::nullopt;
    BoundSocket socket;
    socket.inode = inode;
    socket.v6 = std::strlen(local) == 32;
    std::uint8_t bytes[16] = {};
    if (!parse_words(local, socket.v6 ? 4 : 1, bytes)) return std::nullopt;
    if (socket.v6) {
        std::copy(std::begin(bytes), std::end(bytes), socket.address.bytes.begin());
    } else {
        socket.address = InternetAddress::v4(INADDR_ANY, 0);
        std::copy(bytes, bytes + 4, socket.address.bytes.end() - 4);
    }
    socket.address.port = static_cast<std::uint16_t>(port);
    return socket;
}

std::optional<std::uint64_t> parse_unix_line(const std::string& line, const std::string& shown) {
    constexpr unsigned accepts_connections = 0x10000;
    unsigned flags = 0;
    unsigned type = 0;
    unsigned long inode = 0;
    int name = 0;
    if (std::sscanf(line.c_str(), "%*x: %*x %*x %x %x %*x %lu %n", &flags, &type, &inode, &name) !=
            3 ||
        name == 0)
        return std::nullopt;
    // Connections that a listener accepted carry its name as well, but cannot be reached by it.
    if (type != SOCK_DGRAM && (flags & accepts_connections) == 0) return std::nullopt;
    if (line.compare(static_cast<std::size_t>(name), std::string::npos, shown) != 0)
        return std::nullopt;
    return inode;
}

std::optional<std::vector<std::uint64_t>> abstract_sockets(const std::string& name) {
    std::ifstream file("/proc/thread-self/net/unix");
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    std::string shown = "@" + name;
    std::replace(shown.begin(), shown.end(), '\0', '@');
    // A name with a line break would be split below; its first line is compared, which may take
    // others for it.
    shown = shown.substr(0, shown.find('\n'));
    std::vector<std::uint64_t> found;
    while (std::getline(file, line)) {
        if (const auto inode = parse_unix_line(line, shown)) found.push_back(*inode);
    }
    return found;
}

}  // namespace linux_backend
