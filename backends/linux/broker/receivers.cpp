// Bound sockets, told apart by the registry.
#include "linux/broker/receivers.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include "os/fd.h"

namespace linux_backend {
namespace {

/// The loopback address by which a socket that asked for all addresses of the machine is reached.
std::optional<InternetAddress> stand_in(const BoundSocket& bound, const InternetAddress& to) {
    InternetAddress loopback = to.is_v4() ? InternetAddress::v4(INADDR_LOOPBACK, to.port)
                                          : InternetAddress::v6_loopback(to.port);
    if (!receives(bound, loopback)) return std::nullopt;
    return loopback;
}

}  // namespace

Receivers receivers(Registry& registry, Transport transport, const InternetAddress& address) {
    Receivers result;
    const auto all = bound_sockets(transport, address.port);
    if (!all) {
        result.outside = true;
        return result;
    }
    for (const BoundSocket& bound : *all) {
        BoundTo how = BoundTo::address;
        const bool made_inside = registry.has_internet(bound.inode, how);
        if (made_inside && how == BoundTo::loopback && !address.is_loopback()) {
            result.stand_in = stand_in(bound, address);
        } else if (receives(bound, address)) {
            if (made_inside)
                result.inside.push_back(bound.inode);
            else
                result.outside = true;
        }
    }
    return result;
}

bool is_local(const InternetAddress& address) {
    if (address.is_loopback()) return true;
    const int family = address.is_v4() ? AF_INET : AF_INET6;
    const os::Fd probe(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    InternetAddress target = address;
    target.port = 9;
    const SocketAddress to = to_socket_address(target, family);
    SocketAddress own;
    own.length = sizeof own.storage;
    // A route to it starts at itself. connect(2) of a datagram socket sends nothing.
    if (!probe || ::connect(probe.get(), to.get(), to.length) != 0 ||
        ::getsockname(probe.get(), reinterpret_cast<sockaddr*>(&own.storage), &own.length) != 0)
        return false;
    const auto source = internet_address(own);
    return source && source->bytes == address.bytes;
}

}  // namespace linux_backend
