// Who receives at an internet address of this machine: sockets that were made inside, or others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "linux/broker/bound_sockets.h"
#include "linux/broker/registry.h"
#include "linux/broker/socket_address.h"

namespace linux_backend {

struct Receivers {
    /// Some socket made outside does. Also when the kernel does not tell.
    bool outside = false;
    /// Inodes of those that were made inside.
    std::vector<std::uint64_t> inside;
    /// Where a socket made inside receives that would receive here, were it not kept to loopback.
    std::optional<InternetAddress> stand_in;
};

Receivers receivers(Registry& registry, Transport transport, const InternetAddress& address);

/// Whether `address` belongs to this machine.
bool is_local(const InternetAddress& address);

}  // namespace linux_backend
