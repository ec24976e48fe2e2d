// End points and their patterns.
#include "policy/endpoint.h"

#include <doctest/doctest.h>

using namespace policy;

namespace {

Endpoint endpoint(std::string_view text) {
    const auto parsed = parse_endpoint(text);
    REQUIRE_MESSAGE(parsed, text);
    return *parsed;
}

bool matches(std::string_view pattern, std::string_view text) {
    std::string problem;
    const auto compiled = EndpointPattern::compile(pattern, problem);
    REQUIRE_MESSAGE(compiled, problem);
    return compiled->matches(endpoint(text));
}

std::string problem_of(std::string_view pattern) {
    std::string problem;
    CHECK_FALSE(EndpointPattern::compile(pattern, problem));
    return problem;
}

}  // namespace

TEST_CASE("an end point reads as address, port and protocol") {
    CHECK(endpoint("127.0.0.1:80").text() == "127.0.0.1:80 (tcp)");
    CHECK(endpoint("[::1]:53/udp").text() == "[::1]:53 (udp)");
    CHECK_FALSE(parse_endpoint("10.0.0.0/8:80"));
    CHECK_FALSE(parse_endpoint("127.0.0.1"));
}

TEST_CASE("patterns name addresses, networks, ports and protocols") {
    CHECK(matches("127.0.0.1:80", "127.0.0.1:80"));
    CHECK_FALSE(matches("127.0.0.1:80", "127.0.0.1:81"));
    CHECK(matches("10.0.0.0/8:443", "10.200.3.4:443"));
    CHECK_FALSE(matches("10.0.0.0/8:443", "11.0.0.1:443"));
    CHECK(matches("192.168.0.0/23", "192.168.1.9:1"));
    CHECK_FALSE(matches("192.168.0.0/23", "192.168.2.9:1"));
    CHECK(matches("[fd00::/8]:53/udp", "[fd12::1]:53/udp"));
    CHECK_FALSE(matches("[fd00::/8]:53/udp", "[fd12::1]:53"));
    CHECK(matches("loopback:8000-8100", "127.9.9.9:8050"));
    CHECK(matches("loopback", "[::1]:8050"));
    CHECK_FALSE(matches("loopback", "10.0.0.1:8050"));
    CHECK(matches("*:443/tcp", "1.2.3.4:443"));
}

TEST_CASE("an IPv4 address inside an IPv6 address is that IPv4 address") {
    CHECK(matches("127.0.0.1:80", "[::ffff:127.0.0.1]:80"));
    CHECK(matches("loopback", "[::ffff:127.0.0.1]:80"));
    CHECK(matches("[::ffff:10.0.0.0/104]:80", "10.1.1.1:80"));
}

TEST_CASE("patterns that mean nothing are refused with the reason") {
    CHECK(problem_of("example.org:80") ==
          "'example.org' is no IP address, network, 'loopback' or '*'; host names cannot be used "
          "here");
    CHECK(problem_of("::1") == "an IPv6 address stands in brackets: '[::1]:80'");
    CHECK(problem_of("10.0.0.0/33") == "'/33' is no network size from /0 to /32");
    CHECK(problem_of("*:0-70000") == "'0-70000' is no port, range of ports or '*'");
    CHECK(problem_of("[::1") == "'[' is never closed");
}
