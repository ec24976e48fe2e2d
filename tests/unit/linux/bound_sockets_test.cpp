// Who receives at a port or an abstract name.
#include "linux/broker/bound_sockets.h"

#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "os/fd.h"

using namespace linux_backend;

namespace {

BoundSocket bound(InternetAddress address, bool v6 = false, bool v6_only = false) {
    return {1, address, v6, v6_only};
}

const InternetAddress four = InternetAddress::v4(INADDR_LOOPBACK, 80);
const InternetAddress six = InternetAddress::v6_loopback(80);
const InternetAddress any_four = InternetAddress::v4(INADDR_ANY, 80);
const InternetAddress any_six = {{}, 80};

std::uint64_t inode_of(const os::Fd& fd) {
    struct stat status = {};
    REQUIRE(::fstat(fd.get(), &status) == 0);
    return status.st_ino;
}

}  // namespace

TEST_CASE("an IPv4 destination is received by IPv4 sockets and by dual-stack IPv6 ones") {
    CHECK(receives(bound(four), four));
    CHECK(receives(bound(any_four), four));
    CHECK(receives(bound(any_six, true), four));
    CHECK(receives(bound(four, true), four));
    CHECK_FALSE(receives(bound(any_six, true, true), four));
    CHECK_FALSE(receives(bound(six, true), four));
    CHECK_FALSE(receives(bound(InternetAddress::v4(INADDR_LOOPBACK + 1, 80)), four));
}

TEST_CASE("an IPv6 destination is received by IPv6 sockets that are not bound to an IPv4 address") {
    CHECK(receives(bound(six, true), six));
    CHECK(receives(bound(any_six, true), six));
    CHECK(receives(bound(any_six, true, true), six));
    CHECK_FALSE(receives(bound(four, true), six));
    CHECK_FALSE(receives(bound(any_four), six));
}

TEST_CASE("lines of /proc/net/tcp and udp are understood") {
    const std::string listening =
        "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        "
        "0 98765 1 0 100 0 0 10 0";
    const auto four_socket = parse_internet_line(listening, Transport::stream);
    REQUIRE(four_socket);
    CHECK(four_socket->inode == 98765);
    CHECK(host_and_port(four_socket->address) == "127.0.0.1:8080");
    CHECK_FALSE(four_socket->v6);

    std::string connected = listening;
    connected.replace(connected.find(" 0A "), 4, " 01 ");
    CHECK_FALSE(parse_internet_line(connected, Transport::stream));
    CHECK(parse_internet_line(connected, Transport::datagram));

    const std::string mapped =
        " 12: 0000000000000000FFFF00000100007F:0050 00000000000000000000000000000000:0000 0A "
        "00000000:00000000 "
        "00:00000000 00000000  1000        0 7 1 0 100 0 0 10 0";
    const auto six_socket = parse_internet_line(mapped, Transport::stream);
    REQUIRE(six_socket);
    CHECK(six_socket->v6);
    CHECK(host_and_port(six_socket->address) == "127.0.0.1:80");
    CHECK_FALSE(parse_internet_line("  sl  local_address rem_address", Transport::stream));
}

TEST_CASE("lines of /proc/net/unix count only what can be reached by the name") {
    const std::string listener = "0000000000000000: 00000002 00000000 00010000 0001 01 4711 @name";
    const std::string accepted = "0000000000000000: 00000003 00000000 00000000 0001 03 4712 @name";
    const std::string datagram = "0000000000000000: 00000002 00000000 00000000 0002 01 4713 @name";
    CHECK(parse_unix_line(listener, "@name") == 4711);
    CHECK_FALSE(parse_unix_line(accepted, "@name"));
    CHECK(parse_unix_line(datagram, "@name") == 4713);
    CHECK_FALSE(parse_unix_line(listener, "@nam"));
    CHECK_FALSE(parse_unix_line(listener, "@name2"));
}

TEST_CASE("a listening socket is found by its port, and one that only is bound is not") {
    const os::Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in in = {};
    in.sin_family = AF_INET;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&in), sizeof in) == 0);
    socklen_t size = sizeof in;
    REQUIRE(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&in), &size) == 0);
    const std::uint16_t port = ntohs(in.sin_port);
    const auto is_there = [&] {
        const auto all = bound_sockets(Transport::stream, port);
        REQUIRE(all);
        return std::any_of(all->begin(), all->end(),
                           [&](const BoundSocket& one) { return one.inode == inode_of(socket); });
    };
    CHECK_FALSE(is_there());
    REQUIRE(::listen(socket.get(), 1) == 0);
    CHECK(is_there());
}

TEST_CASE("an abstract name is found, with NUL bytes in it too") {
    const os::Fd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const std::string name("sbxsh\0test", 10);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    CHECK(abstract_sockets(name)->empty());
    REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), length) == 0);
    CHECK(*abstract_sockets(name) == std::vector<std::uint64_t>{inode_of(socket)});
}
