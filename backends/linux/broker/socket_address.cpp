// Taking socket addresses apart.
#include "linux/broker/socket_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

namespace linux_backend {
namespace {

constexpr std::array<std::uint8_t, 12> mapped_prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
/// An AF_INET6 address without its scope, which the kernel takes too.
constexpr socklen_t shortest_v6 = offsetof(sockaddr_in6, sin6_scope_id);

using AskName = int (*)(int, sockaddr*, socklen_t*);

std::optional<InternetAddress> name_of(const os::Fd& socket, AskName ask) {
    SocketAddress name;
    name.length = sizeof name.storage;
    if (ask(socket.get(), reinterpret_cast<sockaddr*>(&name.storage), &name.length) != 0)
        return std::nullopt;
    return internet_address(name);
}

}  // namespace

int SocketAddress::family() const {
    return length < sizeof(sa_family_t) ? AF_UNSPEC : storage.ss_family;
}

OrErrno<SocketAddress> copy_address(const Caller& caller, std::uint64_t address, int length) {
    SocketAddress copy;
    if (length < 0 || static_cast<std::size_t>(length) > sizeof copy.storage) return failed(EINVAL);
    copy.length = static_cast<socklen_t>(length);
    if (length == 0) return copy;
    const auto bytes = std::as_writable_bytes(std::span(&copy.storage, 1));
    if (auto copied = caller.read(address, bytes.first(copy.length)); !copied)
        return failed(copied.error());
    return copy;
}

InternetAddress InternetAddress::v4(std::uint32_t host_order, std::uint16_t port) {
    InternetAddress address;
    std::copy(mapped_prefix.begin(), mapped_prefix.end(), address.bytes.begin());
    const std::uint32_t network_order = htonl(host_order);
    std::memcpy(address.bytes.data() + mapped_prefix.size(), &network_order, sizeof network_order);
    address.port = port;
    return address;
}

InternetAddress InternetAddress::v6_loopback(std::uint16_t port) {
    InternetAddress address;
    address.bytes.back() = 1;
    address.port = port;
    return address;
}

bool InternetAddress::is_v4() const {
    return std::equal(mapped_prefix.begin(), mapped_prefix.end(), bytes.begin());
}

bool InternetAddress::is_loopback() const {
    return is_v4() ? bytes[12] == 127 : bytes == v6_loopback(0).bytes;
}

bool InternetAddress::is_any() const {
    return bytes == InternetAddress().bytes || bytes == v4(INADDR_ANY, 0).bytes;
}

std::optional<InternetAddress> internet_address(const SocketAddress& address) {
    if (address.family() == AF_INET && address.length >= sizeof(sockaddr_in)) {
        sockaddr_in in;
        std::memcpy(&in, &address.storage, sizeof in);
        return InternetAddress::v4(ntohl(in.sin_addr.s_addr), ntohs(in.sin_port));
    }
    if (address.family() == AF_INET6 && address.length >= shortest_v6) {
        sockaddr_in6 in = {};
        std::memcpy(&in, &address.storage, std::min<std::size_t>(sizeof in, address.length));
        InternetAddress result;
        std::memcpy(result.bytes.data(), &in.sin6_addr, sizeof in.sin6_addr);
        result.port = ntohs(in.sin6_port);
        return result;
    }
    return std::nullopt;
}

SocketAddress to_socket_address(const InternetAddress& address, int family) {
    SocketAddress result;
    if (family == AF_INET && address.is_v4()) {
        sockaddr_in in = {};
        in.sin_family = AF_INET;
        in.sin_port = htons(address.port);
        std::memcpy(&in.sin_addr, address.bytes.data() + mapped_prefix.size(), sizeof in.sin_addr);
        std::memcpy(&result.storage, &in, sizeof in);
        result.length = sizeof in;
    } else {
        sockaddr_in6 in = {};
        in.sin6_family = AF_INET6;
        in.sin6_port = htons(address.port);
        std::memcpy(&in.sin6_addr, address.bytes.data(), sizeof in.sin6_addr);
        std::memcpy(&result.storage, &in, sizeof in);
        result.length = sizeof in;
    }
    return result;
}

std::optional<InternetAddress> own_address(const os::Fd& socket) {
    auto address = name_of(socket, [](int fd, sockaddr* name, socklen_t* length) {
        return ::getsockname(fd, name, length);
    });
    return address && address->port != 0 ? address : std::nullopt;
}

std::optional<InternetAddress> peer_address(const os::Fd& socket) {
    return name_of(socket, [](int fd, sockaddr* name, socklen_t* length) {
        return ::getpeername(fd, name, length);
    });
}

policy::Endpoint endpoint(const InternetAddress& address, int socket_type) {
    const std::size_t skip = address.is_v4() ? mapped_prefix.size() : 0;
    policy::Endpoint result;
    result.address.assign(address.bytes.begin() + static_cast<std::ptrdiff_t>(skip),
                          address.bytes.end());
    result.port = address.port;
    result.datagram = socket_type == SOCK_DGRAM;
    return result;
}

std::string host_and_port(const InternetAddress& address) {
    char text[INET6_ADDRSTRLEN] = "";
    const bool v4 = address.is_v4();
    ::inet_ntop(v4 ? AF_INET : AF_INET6, address.bytes.data() + (v4 ? mapped_prefix.size() : 0),
                text, sizeof text);
    const std::string host = v4 ? text : "[" + std::string(text) + "]";
    return host + ":" + std::to_string(address.port);
}

std::optional<UnixName> unix_name(const SocketAddress& address) {
    constexpr std::size_t start = offsetof(sockaddr_un, sun_path);
    if (address.family() != AF_UNIX || address.length < start ||
        address.length > sizeof(sockaddr_un))
        return std::nullopt;
    UnixName name;
    if (address.length == start) return name;
    const char* text = reinterpret_cast<const char*>(&address.storage) + start;
    const std::size_t size = address.length - start;
    if (text[0] == '\0') {
        name.kind = UnixName::Kind::abstract;
        name.text.assign(text + 1, size - 1);
    } else {
        name.kind = UnixName::Kind::path;
        name.text.assign(text, ::strnlen(text, size));
    }
    return name;
}

std::string shown_abstract(const std::string& name) {
    std::string text = "@";
    for (const char byte : name) {
        if (byte == '\0') {
            text += "\\0";
        } else {
            if (byte == '\\') text += byte;
            text += byte;
        }
    }
    return text;
}

}  // namespace linux_backend
