// Socket addresses taken apart as the kernel would.
#include "linux/broker/socket_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <cerrno>
#include <cstddef>
#include <cstring>

using namespace linux_backend;

namespace {

SocketAddress v4(const char* host, std::uint16_t port) {
    sockaddr_in in = {};
    in.sin_family = AF_INET;
    in.sin_port = htons(port);
    REQUIRE(::inet_pton(AF_INET, host, &in.sin_addr) == 1);
    SocketAddress address;
    std::memcpy(&address.storage, &in, sizeof in);
    address.length = sizeof in;
    return address;
}

SocketAddress v6(const char* host, std::uint16_t port) {
    sockaddr_in6 in = {};
    in.sin6_family = AF_INET6;
    in.sin6_port = htons(port);
    REQUIRE(::inet_pton(AF_INET6, host, &in.sin6_addr) == 1);
    SocketAddress address;
    std::memcpy(&address.storage, &in, sizeof in);
    address.length = sizeof in;
    return address;
}

SocketAddress local(const std::string& path_bytes) {
    SocketAddress address;
    address.storage.ss_family = AF_UNIX;
    std::memcpy(reinterpret_cast<char*>(&address.storage) + offsetof(sockaddr_un, sun_path),
                path_bytes.data(), path_bytes.size());
    address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path_bytes.size());
    return address;
}

}  // namespace

TEST_CASE("an IPv4 address and its mapped IPv6 form are the same address") {
    const auto plain = internet_address(v4("10.1.2.3", 80));
    const auto mapped = internet_address(v6("::ffff:10.1.2.3", 80));
    REQUIRE(plain);
    REQUIRE(mapped);
    CHECK(*plain == *mapped);
    CHECK(plain->is_v4());
    CHECK(host_and_port(*mapped) == "10.1.2.3:80");
    CHECK(endpoint(*mapped, SOCK_STREAM).address == std::string("\x0a\x01\x02\x03"));
    CHECK(endpoint(*mapped, SOCK_STREAM).port == 80);
    CHECK_FALSE(endpoint(*mapped, SOCK_STREAM).datagram);
    CHECK(endpoint(*mapped, SOCK_DGRAM).datagram);
}

TEST_CASE("loopback is 127.0.0.0/8, its mapped form and ::1, and nothing else") {
    for (const char* host : {"127.0.0.1", "127.255.3.4"})
        CHECK(internet_address(v4(host, 1))->is_loopback());
    for (const char* host : {"::1", "::ffff:127.0.0.1"})
        CHECK(internet_address(v6(host, 1))->is_loopback());
    for (const char* host : {"128.0.0.1", "0.0.0.0", "126.0.0.1"})
        CHECK_FALSE(internet_address(v4(host, 1))->is_loopback());
    // The old form without ffff is a public address to the kernel.
    for (const char* host : {"::127.0.0.1", "::", "2001::1", "64:ff9b::127.0.0.1"})
        CHECK_FALSE(internet_address(v6(host, 1))->is_loopback());
}

TEST_CASE("all addresses are recognised in each form") {
    CHECK(internet_address(v4("0.0.0.0", 1))->is_any());
    CHECK(internet_address(v6("::", 1))->is_any());
    CHECK(internet_address(v6("::ffff:0.0.0.0", 1))->is_any());
    CHECK_FALSE(internet_address(v4("127.0.0.1", 1))->is_any());
    CHECK_FALSE(internet_address(v6("::1", 1))->is_any());
}

TEST_CASE("an address that is too short for its family is none, but IPv6 may lack the scope") {
    SocketAddress address = v4("1.2.3.4", 5);
    address.length -= 1;
    CHECK_FALSE(internet_address(address));
    address = v6("::1", 5);
    address.length = 24;
    REQUIRE(internet_address(address));
    CHECK(internet_address(address)->port == 5);
    address.length = 23;
    CHECK_FALSE(internet_address(address));
    address.length = 1;
    CHECK(address.family() == AF_UNSPEC);
}

TEST_CASE("an address goes back into the form that the socket's family takes") {
    const InternetAddress loopback = InternetAddress::v4(INADDR_LOOPBACK, 9);
    CHECK(to_socket_address(loopback, AF_INET).family() == AF_INET);
    CHECK(to_socket_address(loopback, AF_INET6).family() == AF_INET6);
    for (const int family : {AF_INET, AF_INET6})
        CHECK(*internet_address(to_socket_address(loopback, family)) == loopback);
    const InternetAddress six = InternetAddress::v6_loopback(9);
    CHECK(to_socket_address(six, AF_INET).family() == AF_INET6);
    CHECK(host_and_port(six) == "[::1]:9");
}

TEST_CASE("a unix path ends at its NUL or at the end of the address") {
    CHECK(unix_name(local(std::string("/tmp/s\0rest", 11)))->text == "/tmp/s");
    CHECK(unix_name(local("/tmp/s"))->text == "/tmp/s");
    CHECK(unix_name(local("/tmp/s"))->kind == UnixName::Kind::path);
    const std::string longest(108, 'x');
    CHECK(unix_name(local(longest))->text == longest);
    SocketAddress too_long = local(longest);
    too_long.length += 1;
    CHECK_FALSE(unix_name(too_long));
}

TEST_CASE("an abstract unix name is every byte after the first") {
    const auto name = unix_name(local(std::string("\0a\0b\0", 5)));
    REQUIRE(name);
    CHECK(name->kind == UnixName::Kind::abstract);
    CHECK(name->text == std::string("a\0b\0", 4));
    CHECK(unix_name(local(""))->kind == UnixName::Kind::unnamed);
}

TEST_CASE("two abstract names never look the same in rules and reports") {
    CHECK(shown_abstract("plain") == "@plain");
    CHECK(shown_abstract(std::string("a\0b", 3)) == "@a\\0b");
    CHECK(shown_abstract("a\\0b") == "@a\\\\0b");
}

TEST_CASE("copying an address refuses lengths that the kernel refuses") {
    const Caller self(::getpid());
    const SocketAddress given = v4("1.2.3.4", 5);
    const auto at = reinterpret_cast<std::uint64_t>(&given.storage);
    const auto copied = copy_address(self, at, sizeof(sockaddr_in));
    REQUIRE(copied);
    CHECK(host_and_port(*internet_address(*copied)) == "1.2.3.4:5");
    CHECK(copy_address(self, at, -1).error() == EINVAL);
    CHECK(copy_address(self, at, sizeof(sockaddr_storage) + 1).error() == EINVAL);
    CHECK(copy_address(self, 8, sizeof(sockaddr_in)).error() == EFAULT);
    CHECK(copy_address(self, 8, 0)->length == 0);
}
