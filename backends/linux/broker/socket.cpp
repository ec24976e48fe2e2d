// Making, connecting and listening on sockets.
#include "linux/broker/socket.h"

#include <fcntl.h>
#include <linux/in6.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/destination.h"
#include "linux/broker/effective_identity.h"
#include "linux/broker/handlers.h"
#include "linux/broker/loopback.h"

namespace linux_backend {
namespace {

constexpr int protocol_mptcp = 262;

struct NamedNumber {
    int number;
    const char* name;
    /// What programs that try whether it is there take for "no".
    int error = EACCES;
};

constexpr NamedNumber families[] = {
    {AF_PACKET, "AF_PACKET"},
    {AF_VSOCK, "AF_VSOCK", EAFNOSUPPORT},
    {AF_ALG, "AF_ALG", EAFNOSUPPORT},
    {AF_BLUETOOTH, "AF_BLUETOOTH", EAFNOSUPPORT},
    {AF_CAN, "AF_CAN", EAFNOSUPPORT},
    {AF_TIPC, "AF_TIPC", EAFNOSUPPORT},
    {AF_RDS, "AF_RDS", EAFNOSUPPORT},
    {AF_KEY, "AF_KEY"},
    {AF_XDP, "AF_XDP"},
    {AF_SMC, "AF_SMC", EAFNOSUPPORT},
    {AF_QIPCRTR, "AF_QIPCRTR", EAFNOSUPPORT},
    {AF_NFC, "AF_NFC", EAFNOSUPPORT},
    {AF_IB, "AF_IB", EAFNOSUPPORT},
    {AF_PPPOX, "AF_PPPOX"},
    {AF_IEEE802154, "AF_IEEE802154", EAFNOSUPPORT},
    {AF_PHONET, "AF_PHONET", EAFNOSUPPORT},
    {AF_ISDN, "AF_ISDN", EAFNOSUPPORT},
    {AF_KCM, "AF_KCM", EAFNOSUPPORT},
};

constexpr NamedNumber netlink_protocols[] = {
    {NETLINK_USERSOCK, "NETLINK_USERSOCK"},
    {NETLINK_SOCK_DIAG, "NETLINK_SOCK_DIAG"},
    {NETLINK_NFLOG, "NETLINK_NFLOG"},
    {NETLINK_XFRM, "NETLINK_XFRM"},
    {NETLINK_SELINUX, "NETLINK_SELINUX"},
    {NETLINK_ISCSI, "NETLINK_ISCSI"},
    // As from a kernel without auditing: su and useradd go on then.
    {NETLINK_AUDIT, "NETLINK_AUDIT", EPROTONOSUPPORT},
    {NETLINK_CONNECTOR, "NETLINK_CONNECTOR"},
    {NETLINK_NETFILTER, "NETLINK_NETFILTER"},
    {NETLINK_KOBJECT_UEVENT, "NETLINK_KOBJECT_UEVENT"},
    {NETLINK_GENERIC, "NETLINK_GENERIC"},
    {NETLINK_CRYPTO, "NETLINK_CRYPTO"},
};

template <std::size_t N>
const NamedNumber* find(const NamedNumber (&table)[N], int number) {
    for (const NamedNumber& row : table) {
        if (row.number == number) return &row;
    }
    return nullptr;
}

Answer refuse_socket(const Call& call, const std::string& what, int error_number) {
    return call.refuse(call.broker().policy().decide_outside(policy::Access::kernel),
                       Attempt{policy::Access::kernel, "create", what, {}}, error_number);
}

Answer refuse_internet_socket(const Call& call, int type, int protocol) {
    if (protocol == protocol_mptcp)
        return Answer::error(EPROTONOSUPPORT);  // Go and curl go on with TCP.
    if (type == SOCK_RAW || type == SOCK_PACKET) return refuse_socket(call, "raw socket", EACCES);
    if (type == SOCK_DGRAM && (protocol == IPPROTO_ICMP || protocol == IPPROTO_ICMPV6))
        return refuse_socket(call, "ICMP socket", EACCES);
    if (type == SOCK_RDM) return Answer::error(ESOCKTNOSUPPORT);
    if (protocol == IPPROTO_SCTP) return refuse_socket(call, "SCTP socket", EPROTONOSUPPORT);
    if (protocol == IPPROTO_UDPLITE) return refuse_socket(call, "UDP-Lite socket", EPROTONOSUPPORT);
    return refuse_socket(call, "socket of IP protocol " + std::to_string(protocol),
                         EPROTONOSUPPORT);
}

Answer refuse_netlink_socket(const Call& call, int protocol) {
    if (const NamedNumber* row = find(netlink_protocols, protocol))
        return refuse_socket(call, std::string(row->name) + " socket", row->error);
    return Answer::error(EPROTONOSUPPORT);
}

/// 0 or the errno. A unix listener is shown the caller's ids, though the broker's process.
int connect_as_caller(const Call& call, const CallerSocket& socket, const SocketAddress& address) {
    const EffectiveIdentity identity(call);
    if (identity.error() != 0) return identity.error();
    return ::connect(socket.fd.get(), address.get(), address.length) == 0 ? 0 : errno;
}

Answer connect_socket(const Call& call, const CallerSocket& socket,
                      const Destination& destination) {
    const bool was_bound = is_bound(socket);
    const int error = connect_as_caller(call, socket, destination.address);
    // Both go on without us.
    const bool goes_on = error == EINPROGRESS || error == EINTR;
    if (error != 0 && !goes_on) return Answer::error(error);
    // Who has an abstract name may have changed since the decision. The caller has the descriptor
    // all the time and could send in between, but must win a race that needs a program outside to
    // take up the very name that was given up inside.
    if (auto refusal = refused_afterwards(call, socket, destination)) {
        dissolve(socket);
        return std::move(*refusal);
    }
    if (!was_bound && destination.address.family() != AF_UNSPEC) remember_port(call, socket);
    return error == 0 ? Answer::value(0) : Answer::error(error);
}

seccomp_notif notification_of(const Call& call) {
    seccomp_notif notification = {};
    notification.id = call.id();
    notification.pid = static_cast<std::uint32_t>(call.caller().thread());
    notification.data.nr = call.row().number;
    for (int index = 0; index < 6; ++index) notification.data.args[index] = call.argument(index);
    return notification;
}

}  // namespace

KeptCall::KeptCall(const Call& call)
    : notification_(notification_of(call)), call_(call.broker(), notification_, call.row()) {}

OrErrno<CallerSocket> caller_socket(const Call& call, int descriptor) {
    call.own_identity();
    auto fd = call.caller().duplicate(descriptor);
    if (!fd) return failed(fd.error());
    CallerSocket socket;
    socket.fd = std::move(*fd);
    socklen_t size = sizeof(int);
    if (::getsockopt(socket.fd.get(), SOL_SOCKET, SO_DOMAIN, &socket.domain, &size) != 0)
        return failed(errno);
    if (::getsockopt(socket.fd.get(), SOL_SOCKET, SO_TYPE, &socket.type, &size) != 0)
        return failed(errno);
    if (::getsockopt(socket.fd.get(), SOL_SOCKET, SO_PROTOCOL, &socket.protocol, &size) != 0)
        return failed(errno);
    socket.blocking = (::fcntl(socket.fd.get(), F_GETFL) & O_NONBLOCK) == 0;
    const bool known =
        socket.domain == AF_UNIX || socket.domain == AF_NETLINK ||
        (socket.internet() && (socket.protocol == IPPROTO_TCP || socket.protocol == IPPROTO_UDP));
    if (!known) return failed(EACCES);
    return socket;
}

bool is_bound(const CallerSocket& socket) {
    SocketAddress own;
    own.length = sizeof own.storage;
    if (::getsockname(socket.fd.get(), reinterpret_cast<sockaddr*>(&own.storage), &own.length) != 0)
        return false;
    if (const auto address = internet_address(own)) return address->port != 0;
    return own.length > sizeof(sa_family_t);
}

void dissolve(const CallerSocket& socket) {
    if (socket.internet()) {
        const sockaddr nowhere = {AF_UNSPEC, {}};
        ::connect(socket.fd.get(), &nowhere, sizeof nowhere);
    } else {
        ::shutdown(socket.fd.get(), SHUT_RDWR);
    }
}

std::uint64_t socket_inode(const CallerSocket& socket) {
    struct stat status;
    return ::fstat(socket.fd.get(), &status) == 0 ? status.st_ino : 0;
}

bool keep_to_loopback(const CallerSocket& socket) {
    constexpr int loopback = 1;  // LOOPBACK_IFINDEX
    return ::setsockopt(socket.fd.get(), SOL_SOCKET, SO_BINDTOIFINDEX, &loopback,
                        sizeof loopback) == 0;
}

void remember_port(const Call& call, const CallerSocket& socket) {
    if (socket.internet() && socket.type == SOCK_DGRAM && is_bound(socket))
        call.broker().registry().add_internet(socket_inode(socket), BoundTo::address);
}

Answer serve_socket(const Call& call) {
    const int domain = call.int_argument(0);
    const int type = call.int_argument(1) & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    const int protocol = call.int_argument(2);
    if (type == SOCK_PACKET && domain == AF_INET)
        return refuse_socket(call, "AF_PACKET socket", EACCES);
    if (domain == AF_INET || domain == AF_INET6)
        return refuse_internet_socket(call, type, protocol);
    if (domain == AF_NETLINK) return refuse_netlink_socket(call, protocol);
    if (const NamedNumber* row = find(families, domain))
        return refuse_socket(call, std::string(row->name) + " socket", row->error);
    return Answer::error(EAFNOSUPPORT);
}

Answer serve_socketpair(const Call& call) {
    // Nothing is lost: the kernel has pairs of unix sockets only, but for TIPC.
    const int domain = call.int_argument(0);
    return Answer::error(domain == AF_INET || domain == AF_INET6 || domain == AF_NETLINK
                             ? EOPNOTSUPP
                             : EAFNOSUPPORT);
}

Answer serve_connect(const Call& call) {
    auto socket = caller_socket(call, call.int_argument(0));
    if (!socket && socket.error() != ENOTSOCK) return Answer::error(socket.error());
    // Before it looks whether the descriptor is a socket, the kernel takes the address.
    const auto address = copy_address(call.caller(), call.argument(1), call.int_argument(2));
    if (!address) return Answer::error(address.error());
    if (!socket) return Answer::error(socket.error());
    if (!call.valid()) return Answer::error(ESRCH);

    auto destination = find_destination(call, *socket, *address, Reach::connect);
    if (!destination) return std::move(destination.error());
    if (destination->local)
        return connect_inside(call, std::move(*socket), std::move(*destination));
    if (!socket->blocking || !socket->connects())
        return connect_socket(call, *socket, *destination);

    call.own_identity();
    auto pending =
        std::make_shared<PendingConnect>(call, std::move(*socket), std::move(*destination));
    return call.on_own_thread([pending] {
        return connect_socket(pending->call(), pending->socket, pending->destination);
    });
}

Answer serve_listen(const Call& call) {
    const auto socket = caller_socket(call, call.int_argument(0));
    if (!socket) return Answer::error(socket.error());
    if (!call.valid()) return Answer::error(ESRCH);
    // The kernel would bind it to all addresses of the machine.
    if (socket->internet() && socket->connects() && !is_bound(*socket)) {
        SocketAddress any;
        any.storage.ss_family = static_cast<sa_family_t>(socket->domain);
        any.length = socket->domain == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        Answer bound = bind_internet(call, *socket, any);
        if (bound.kind != Answer::Kind::value || bound.number != 0) return bound;
    }
    const EffectiveIdentity identity(call);
    if (identity.error() != 0) return Answer::error(identity.error());
    if (::listen(socket->fd.get(), call.int_argument(1)) != 0) return Answer::error(errno);
    if (socket->internet())
        call.broker().listeners().remember(
            {socket_inode(*socket), call.caller().process(), call.int_argument(0)});
    return Answer::value(0);
}

Answer serve_setsockopt(const Call& call) {
    return call.refuse(
        call.broker().policy().decide_outside(policy::Access::kernel),
        Attempt{policy::Access::kernel, "set", "the route of a socket's packets", {}}, EPERM);
}

}  // namespace linux_backend
