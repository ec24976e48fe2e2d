// Patterns of internet end points: an address, a network or `loopback`, with a port or a range of
// ports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "policy/policy.h"

namespace policy {

/// One TCP end point from "127.0.0.1:80", "[::1]:80", also with "/tcp" or "/udp" at the end;
/// nothing when it is none.
std::optional<Endpoint> parse_endpoint(std::string_view text);

/// "127.0.0.1:80", "10.0.0.0/8", "[::1]:8000-8100", "[fd00::/8]:53/udp", "loopback:*", "*:443/tcp".
/// Without a port: any.
class EndpointPattern {
  public:
    /// Compiles `text`; on failure `problem` says why.
    static std::optional<EndpointPattern> compile(std::string_view text, std::string& problem);
    bool matches(const Endpoint& endpoint) const;
    const std::string& text() const { return text_; }
    /// The end point where the pattern names just one.
    std::optional<Endpoint> single() const;

  private:
    enum class Host : std::uint8_t { any, loopback, network };
    enum class Protocol : std::uint8_t { any, tcp, udp };

    bool parse_host(std::string_view text, std::string& problem);
    bool parse_ports(std::string_view text, std::string& problem);

    std::string text_;
    Host host_ = Host::any;
    std::string network_;  // 4 or 16 bytes
    unsigned bits_ = 0;
    std::uint16_t first_ = 0;
    std::uint16_t last_ = 65535;
    Protocol protocol_ = Protocol::any;
};

}  // namespace policy
