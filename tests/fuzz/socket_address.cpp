// Socket addresses of any length and family.
#include "linux/broker/socket_address.h"

#include <cstring>

#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    linux_backend::SocketAddress address;
    address.length = static_cast<socklen_t>(std::min(size, sizeof address.storage));
    std::memcpy(&address.storage, data, address.length);
    if (const auto name = linux_backend::unix_name(address)) {
        fuzz::require(name->text.size() <= address.length, "a name lies within the address");
        linux_backend::shown_abstract(name->text);
    }
    const auto internet = linux_backend::internet_address(address);
    if (!internet) return 0;
    const auto again =
        linux_backend::internet_address(linux_backend::to_socket_address(*internet, AF_INET6));
    fuzz::require(again && *again == *internet, "an address survives its socket form");
    linux_backend::endpoint(*internet, SOCK_STREAM);
    linux_backend::host_and_port(*internet);
    return 0;
}
