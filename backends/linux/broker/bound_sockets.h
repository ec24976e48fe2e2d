// Which sockets of this network namespace would receive what is sent to a loopback port or an
// abstract name. Source: sock_diag(7), proc_net(5), proc_net_unix(5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linux/broker/socket_address.h"

namespace linux_backend {

enum class Transport : std::uint8_t { stream, datagram };

/// A listening stream socket, or a bound datagram socket.
struct BoundSocket {
    std::uint64_t inode = 0;
    InternetAddress address;
    bool v6 = false;       ///< An AF_INET6 socket.
    bool v6_only = false;  ///< It takes no IPv4. False where the kernel does not say: then it may
                           ///< receive both.
};

/// All that are bound to `port`, whoever owns them. Nothing when the kernel does not tell: then
/// assume the worst.
std::optional<std::vector<BoundSocket>> bound_sockets(Transport transport, std::uint16_t port);

/// Inode of the stream socket on this machine that a connection from `own` to `peer` arrived at; 0
/// while nobody accepted it, and when there is none.
std::uint64_t other_end(const InternetAddress& own, const InternetAddress& peer);

/// Whether a packet to `destination`, an address of this machine, can reach `socket`.
bool receives(const BoundSocket& socket, const InternetAddress& destination);

/// Inodes of the listening or datagram sockets with the abstract name `name` (without its leading
/// NUL). Names that the kernel's text cannot tell apart count together. Nothing when the kernel
/// does not tell.
std::optional<std::vector<std::uint64_t>> abstract_sockets(const std::string& name);

/// The parsers of the /proc forms, for `bound_sockets` and tests: one line of /proc/net/{tcp,udp}
/// or {tcp6,udp6}.
std::optional<BoundSocket> parse_internet_line(const std::string& line, Transport transport);

/// Inode of one line of /proc/net/unix if it is a socket that receives under the abstract name
/// `shown`, given as the kernel shows it ('@' for NUL).
std::optional<std::uint64_t> parse_unix_line(const std::string& line, const std::string& shown);

}  // namespace linux_backend
