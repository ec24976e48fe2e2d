// Socket addresses as values: copied from the caller once, taken apart, put together again.
// Source: ip(7), ipv6(7), unix(7), RFC 3493.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "linux/broker/caller.h"
#include "policy/policy.h"

namespace linux_backend {

/// An address as system calls take it: at most sizeof(sockaddr_storage) raw bytes.
struct SocketAddress {
    sockaddr_storage storage = {};
    socklen_t length = 0;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
    /// AF_UNSPEC when it is too short to say.
    int family() const;
};

/// Copies an address of `length` bytes. EINVAL for a length that the kernel takes for nothing,
/// EFAULT.
OrErrno<SocketAddress> copy_address(const Caller& caller, std::uint64_t address, int length);

/// An IPv4 or IPv6 address with a port. IPv4 is held in its mapped form (::ffff:a.b.c.d), as both
/// reach the same sockets.
struct InternetAddress {
    std::array<std::uint8_t, 16> bytes = {};
    std::uint16_t port = 0;

    static InternetAddress v4(std::uint32_t host_order, std::uint16_t port);
    static InternetAddress v6_loopback(std::uint16_t port);

    bool is_v4() const;
    /// 127.0.0.0/8 or ::1.
    bool is_loopback() const;
    /// 0.0.0.0 or ::.
    bool is_any() const;
    friend bool operator==(const InternetAddress&, const InternetAddress&) = default;
};

/// Of an AF_INET or AF_INET6 address; nothing for another family or one that is too short.
std::optional<InternetAddress> internet_address(const SocketAddress& address);

/// The same in the form that a call on a socket of `family` (AF_INET or AF_INET6) takes. An address
/// that is not IPv4 has no AF_INET form: it stays AF_INET6, and the kernel refuses it.
SocketAddress to_socket_address(const InternetAddress& address, int family);

/// What an internet socket is bound to, and what it is connected to; nothing where there is none.
std::optional<InternetAddress> own_address(const os::Fd& socket);
std::optional<InternetAddress> peer_address(const os::Fd& socket);

/// As policy speaks of it: IPv4 as 4 bytes, whatever form the caller wrote.
policy::Endpoint endpoint(const InternetAddress& address, int socket_type);

/// "1.2.3.4:80", "[::1]:80": what a grant is given.
std::string host_and_port(const InternetAddress& address);

struct UnixName {
    enum class Kind : std::uint8_t { unnamed, path, abstract };
    Kind kind = Kind::unnamed;
    std::string
        text;  ///< Path, or the abstract name without its leading NUL; it may hold any byte.
};

/// Of an AF_UNIX address; nothing when the kernel would not take it as one.
std::optional<UnixName> unix_name(const SocketAddress& address);

/// '@' and the abstract name, NUL bytes as "\0" and backslashes doubled: what rules and reports
/// call it.
std::string shown_abstract(const std::string& name);

}  // namespace linux_backend
