// End points as text, and patterns of them.
#include "policy/endpoint.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace policy {

namespace {

constexpr std::string_view mapped_prefix("\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);

// An IPv4 address inside IPv6 is the IPv4 address.
std::string_view plain_address(std::string_view address) {
    return address.size() == 16 && address.starts_with(mapped_prefix) ? address.substr(12)
                                                                      : address;
}

bool is_loopback(std::string_view address) {
    if (address.size() == 4) return address[0] == 127;
    return address.size() == 16 &&
           address.substr(0, 15) == std::string_view("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 15) &&
           address[15] == 1;
}

bool shares_bits(std::string_view address, std::string_view network, unsigned bits) {
    for (std::size_t at = 0; bits > 0; ++at, bits -= std::min(bits, 8U)) {
        const unsigned mask = bits >= 8 ? 0xFFU : 0xFFU << (8 - bits) & 0xFFU;
        if (((static_cast<unsigned char>(address[at]) ^ static_cast<unsigned char>(network[at])) &
             mask) != 0)
            return false;
    }
    return true;
}

std::optional<unsigned> number(std::string_view text, unsigned most) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty() || value > most)
        return std::nullopt;
    return value;
}

std::string quoted(std::string_view text) {
    return fmt::format("'{}'", text);
}

}  // namespace

std::string Endpoint::text() const {
    char buffer[INET6_ADDRSTRLEN] = "?";
    const bool six = address.size() == 16;
    if (six || address.size() == 4)
        inet_ntop(six ? AF_INET6 : AF_INET, address.data(), buffer, sizeof buffer);
    return fmt::format("{}{}{}:{} ({})", six ? "[" : "", buffer, six ? "]" : "", port,
                       datagram ? "udp" : "tcp");
}

std::optional<EndpointPattern> EndpointPattern::compile(std::string_view text,
                                                        std::string& problem) {
    EndpointPattern pattern;
    pattern.text_ = text;
    if (text.ends_with("/tcp") || text.ends_with("/udp")) {
        pattern.protocol_ = text.ends_with("/tcp") ? Protocol::tcp : Protocol::udp;
        text.remove_suffix(4);
    }
    std::string_view host = text;
    std::string_view ports;
    if (text.starts_with('[')) {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos) return problem = "'[' is never closed", std::nullopt;
        host = text.substr(1, close - 1);
        ports = text.substr(close + 1);
        if (!ports.empty() && ports[0] != ':')
            return problem = "':' and a port expected behind ']'", std::nullopt;
    } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        if (text.find(':', colon + 1) != std::string_view::npos) {
            return problem = "an IPv6 address stands in brackets: '[::1]:80'", std::nullopt;
        }
        host = text.substr(0, colon);
        ports = text.substr(colon);
    }
    if (!pattern.parse_host(host, problem)) return std::nullopt;
    if (!ports.empty() && !pattern.parse_ports(ports.substr(1), problem)) return std::nullopt;
    return pattern;
}

bool EndpointPattern::parse_host(std::string_view text, std::string& problem) {
    if (text == "*") return true;
    if (text == "loopback") {
        host_ = Host::loopback;
        return true;
    }
    const std::size_t slash = text.find('/');
    const std::string address(text.substr(0, slash));
    unsigned char bytes[16];
    const bool four = inet_pton(AF_INET, address.c_str(), bytes) == 1;
    if (!four && inet_pton(AF_INET6, address.c_str(), bytes) != 1) {
        problem = quoted(text) +
                  " is no IP address, network, 'loopback' or '*'; host names cannot be used here";
        return false;
    }
    host_ = Host::network;
    network_.assign(reinterpret_cast<const char*>(bytes), four ? 4 : 16);
    bits_ = four ? 32 : 128;
    if (slash != std::string_view::npos) {
        const auto bits = number(text.substr(slash + 1), bits_);
        if (!bits) {
            problem = quoted(text.substr(slash)) + " is no network size from /0 to /" +
                      std::to_string(bits_);
            return false;
        }
        bits_ = *bits;
    }
    if (bits_ >= 96 && plain_address(network_).size() < network_.size()) {
        network_.erase(0, 12);
        bits_ -= 96;
    }
    return true;
}

bool EndpointPattern::parse_ports(std::string_view text, std::string& problem) {
    if (text == "*") return true;
    const std::size_t dash = text.find('-');
    const auto first = number(text.substr(0, dash), 65535);
    const auto last = dash == std::string_view::npos ? first : number(text.substr(dash + 1), 65535);
    if (!first || !last || *first > *last) {
        problem = quoted(text) + " is no port, range of ports or '*'";
        return false;
    }
    first_ = static_cast<std::uint16_t>(*first);
    last_ = static_cast<std::uint16_t>(*last);
    return true;
}

std::optional<Endpoint> EndpointPattern::single() const {
    if (host_ != Host::network || bits_ != network_.size() * 8 || first_ != last_)
        return std::nullopt;
    return Endpoint{network_, first_, protocol_ == Protocol::udp};
}

std::optional<Endpoint> parse_endpoint(std::string_view text) {
    std::string problem;
    const auto pattern = EndpointPattern::compile(text, problem);
    return pattern ? pattern->single() : std::nullopt;
}

bool EndpointPattern::matches(const Endpoint& endpoint) const {
    if (endpoint.port < first_ || endpoint.port > last_) return false;
    if (protocol_ != Protocol::any && (protocol_ == Protocol::udp) != endpoint.datagram)
        return false;
    const std::string_view address = plain_address(endpoint.address);
    switch (host_) {
        case Host::any:
            return true;
        case Host::loopback:
            return is_loopback(address);
        case Host::network:
            return address.size() == network_.size() && shares_bits(address, network_, bits_);
    }
    return false;
}

}  // namespace policy
