// Sockets as attempts make them, and their addresses.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string_view>

namespace ctl::verify {

struct Address {
    sockaddr_storage storage{};
    socklen_t size = 0;
};

/// `host` in host order: INADDR_LOOPBACK.
Address internet_address(std::uint32_t host, unsigned port);
/// A path, or '@' and an abstract name.
Address unix_address(std::string_view name);

/// A socket by the system call; -1 and errno when it fails.
int open_socket(int family, int type, int protocol = 0);

/// The port that an IPv4 socket is bound to; 0 when it is not.
unsigned bound_port(int socket);

}  // namespace ctl::verify
