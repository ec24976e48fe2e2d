// Effects that reach servers outside.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"
#include "ctl/verify/sockets.h"

namespace ctl::verify {

// --- Addresses. ---

Address internet_address(std::uint32_t host, unsigned port) {
    Address address;
    sockaddr_in internet{};
    internet.sin_family = AF_INET;
    internet.sin_port = htons(static_cast<std::uint16_t>(port));
    internet.sin_addr.s_addr = htonl(host);
    std::memcpy(&address.storage, &internet, sizeof internet);
    address.size = sizeof internet;
    return address;
}

Address unix_address(std::string_view name) {
    Address address;
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    const std::size_t size = std::min(name.size(), sizeof local.sun_path);
    std::memcpy(local.sun_path, name.data(), size);
    if (name.starts_with('@')) local.sun_path[0] = '\0';
    std::memcpy(&address.storage, &local, sizeof local);
    address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size);
    return address;
}

int open_socket(int family, int type, int protocol) {
    return static_cast<int>(call(SYS_socket, family, type | SOCK_CLOEXEC, protocol));
}

unsigned bound_port(int socket) {
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    if (getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
    return ntohs(bound.sin_port);
}

namespace {

using policy::Access;

constexpr std::string_view greeting = "hello";
/// How long something that was not said to have succeeded is waited for.
constexpr int short_wait = 20;
constexpr int long_wait = 1000;

Address server_of(const Arguments& a) {
    return internet_address(INADDR_LOOPBACK, static_cast<unsigned>(std::atoi(a[0].c_str())));
}

int connect_by(int socket, const Address& address) {
    if (socket < 0) return errno;
    return outcome_of(call(SYS_connect, socket, &address.storage, address.size));
}

int send_by(int socket, const Address& address, int flags = 0) {
    if (socket < 0) return errno;
    return outcome_of(call(SYS_sendto, socket, greeting.data(), greeting.size(), flags,
                           &address.storage, address.size));
}

/// A message header for the greeting to `address`, both of which must outlive it.
msghdr message_to(Address& address, iovec& part) {
    part = {const_cast<char*>(greeting.data()), greeting.size()};
    msghdr message{};
    message.msg_name = &address.storage;
    message.msg_namelen = address.size;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    return message;
}

// --- What is tried. ---

int connect_tcp(const Arguments& a) {
    return connect_by(open_socket(AF_INET, SOCK_STREAM), server_of(a));
}

int connect_mptcp(const Arguments& a) {
    return connect_by(open_socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP), server_of(a));
}

int connect_mapped(const Arguments& a) {
    sockaddr_in6 mapped{};
    mapped.sin6_family = AF_INET6;
    mapped.sin6_port = htons(static_cast<std::uint16_t>(std::atoi(a[0].c_str())));
    inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped.sin6_addr);
    const int socket = open_socket(AF_INET6, SOCK_STREAM);
    if (socket < 0) return errno;
    return outcome_of(call(SYS_connect, socket, &mapped, sizeof mapped));
}

int send_fast(const Arguments& a) {
    return send_by(open_socket(AF_INET, SOCK_STREAM), server_of(a), MSG_FASTOPEN);
}

int send_datagram(const Arguments& a) {
    return send_by(open_socket(AF_INET, SOCK_DGRAM), server_of(a));
}

int connect_datagrams(const Arguments& a) {
    const int socket = open_socket(AF_INET, SOCK_DGRAM);
    if (const int error = connect_by(socket, server_of(a))) return error;
    return write_text(socket, greeting);
}

int send_message(const Arguments& a) {
    Address address = server_of(a);
    iovec part;
    const msghdr message = message_to(address, part);
    return outcome_of(call(SYS_sendmsg, open_socket(AF_INET, SOCK_DGRAM), &message, 0));
}

int send_messages(const Arguments& a) {
    Address address = server_of(a);
    iovec part;
    mmsghdr message{message_to(address, part), 0};
    return outcome_of(call(SYS_sendmmsg, open_socket(AF_INET, SOCK_DGRAM), &message, 1, 0));
}

int connect_unix(const Arguments& a) {
    return connect_by(open_socket(AF_UNIX, SOCK_STREAM), unix_address(a[0]));
}

int send_unix(const Arguments& a) {
    return send_by(open_socket(AF_UNIX, SOCK_DGRAM), unix_address(a[0]));
}

// --- How it is seen. ---

/// Whether a connection or a datagram has come to `socket`.
bool has_come(int socket, const Seen& seen) {
    pollfd wait = {socket, POLLIN, 0};
    return poll(&wait, 1, seen.status == 0 ? long_wait : short_wait) > 0;
}

core::Result<Stage> server(int family, int type, const Address& address) {
    const auto socket = std::make_shared<os::Fd>(::socket(family, type | SOCK_CLOEXEC, 0));
    const auto* name = reinterpret_cast<const sockaddr*>(&address.storage);
    if (!*socket || bind(socket->get(), name, address.size) != 0 ||
        (type == SOCK_STREAM && listen(socket->get(), 8) != 0)) {
        return core::fail(core::system_error("start", "a server to reach"));
    }
    Stage stage;
    stage.happened = [socket](const Seen& seen) { return has_come(socket->get(), seen); };
    if (family == AF_INET) {
        const std::string port = std::to_string(bound_port(socket->get()));
        stage.arguments = {port};
        stage.object = "127.0.0.1:" + port + (type == SOCK_DGRAM ? "/udp" : "");
    }
    return stage;
}

core::Result<Stage> tcp_server(Ground&) {
    return server(AF_INET, SOCK_STREAM, internet_address(INADDR_LOOPBACK, 0));
}

core::Result<Stage> udp_server(Ground&) {
    return server(AF_INET, SOCK_DGRAM, internet_address(INADDR_LOOPBACK, 0));
}

core::Result<Stage> unix_server(int type, const std::string& name) {
    auto stage = server(AF_UNIX, type, unix_address(name));
    if (!stage) return stage;
    stage->arguments = {name};
    stage->object = name;
    return stage;
}

core::Result<Stage> unix_stream(Ground& ground) {
    return unix_server(SOCK_STREAM, ground.outside() + "/s");
}

core::Result<Stage> unix_datagrams(Ground& ground) {
    return unix_server(SOCK_DGRAM, ground.outside() + "/s");
}

core::Result<Stage> abstract_stream(Ground& ground) {
    return unix_server(SOCK_STREAM, "@" + ground.fresh_text());
}

core::Result<Stage> abstract_datagrams(Ground& ground) {
    return unix_server(SOCK_DGRAM, "@" + ground.fresh_text());
}

constexpr Access reach = Access::connect;
constexpr Access local = Access::unix_connect;

constexpr Effect effects[] = {
    {"sockets.tcp", "connect to a TCP server", tcp_server, connect_tcp, reach},
    {"sockets.mptcp", "connect to a TCP server by MPTCP", tcp_server, connect_mptcp, reach},
    {"sockets.mapped", "connect to a TCP server by a mapped IPv6 address", tcp_server,
     connect_mapped, reach},
    {"sockets.fast-open", "connect to a TCP server with the first data", tcp_server, send_fast,
     reach},
    {"sockets.udp", "send a datagram", udp_server, send_datagram, reach},
    {"sockets.udp-connected", "send a datagram from a connected socket", udp_server,
     connect_datagrams, reach},
    {"sockets.sendmsg", "send a datagram by sendmsg", udp_server, send_message, reach},
    {"sockets.sendmmsg", "send a datagram by sendmmsg", udp_server, send_messages, reach},
    {"sockets.unix", "connect to a unix socket", unix_stream, connect_unix, local},
    {"sockets.unix-datagram", "send to a unix socket", unix_datagrams, send_unix, local},
    {"sockets.abstract", "connect to an abstract socket", abstract_stream, connect_unix, local},
    {"sockets.abstract-datagram", "send to an abstract socket", abstract_datagrams, send_unix,
     local},
};

}  // namespace

std::span<const Effect> socket_effects() {
    return effects;
}

}  // namespace ctl::verify
