// Where a caller wants to connect or send to: the decision, and the address to use once it is
// allowed.
#pragma once

#include <optional>
#include <string>

#include "linux/broker/call.h"
#include "linux/broker/registry.h"
#include "linux/broker/socket.h"
#include "linux/broker/socket_address.h"

namespace linux_backend {

/// A value, or the answer that ends the call.
template <class T>
using OrAnswer = tl::expected<T, Answer>;

enum class Reach : std::uint8_t { connect, send };

/// An address that may be reached. It names what was decided on, never something to be looked up
/// again.
struct Destination {
    SocketAddress address;
    os::Fd object;  ///< Keeps the unix socket's file that `address` names.

    /// What was judged by who receives there: may have changed hands until the operation was
    /// performed.
    std::optional<InternetAddress> local;
    std::optional<std::string> abstract;
};

/// Decides on `address`. The error is the recorded refusal, or what the kernel answers for such an
/// address.
OrAnswer<Destination> find_destination(const Call& call, const CallerSocket& socket,
                                       const SocketAddress& address, Reach reach);

/// After a connection was made: nothing when it may stay, else the recorded refusal; the caller
/// then takes it down.
std::optional<Answer> refused_afterwards(const Call& call, const CallerSocket& socket,
                                         const Destination& destination);

/// Whether some socket made outside receives at `destination`, an address of this machine. True
/// when that is unknown.
bool outside_receives(const Call& call, const CallerSocket& socket,
                      const InternetAddress& destination);

/// Identity of the socket file that an O_PATH descriptor names.
std::optional<UnixSocketId> unix_socket_id(const os::Fd& object);

}  // namespace linux_backend
