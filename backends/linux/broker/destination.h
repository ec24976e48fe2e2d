// Where a caller wants to connect or send to: the decision, and the address to use once it is
// allowed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

    /// What no rule allows, and was judged by who receives there: may have changed hands until the
    /// operation was performed.
    std::optional<InternetAddress> local;
    std::vector<std::uint64_t> receivers;  ///< Inodes of those at `local`, all made inside.
    std::optional<std::string> abstract;
};

/// A connect(2) that goes on after its handler.
struct PendingConnect {
    PendingConnect(const Call& call, CallerSocket caller_socket, Destination to)
        : kept(call), socket(std::move(caller_socket)), destination(std::move(to)) {}

    const Call& call() const { return kept.call(); }

    KeptCall kept;
    CallerSocket socket;
    Destination destination;
};

/// Decides on `address`. The error is the recorded refusal, or what the kernel answers for such an
/// address.
OrAnswer<Destination> find_destination(const Call& call, const CallerSocket& socket,
                                       const SocketAddress& address, Reach reach);

/// Looks anew at who receives at `destination.local`. The error is the recorded refusal when it is
/// somebody outside.
OrAnswer<void> judge_again(const Call& call, const CallerSocket& socket, Destination& destination);

/// After a connection was made: nothing when it may stay, as it was surely one of
/// `destination.receivers` that took it; else what to answer, a refusal recorded. The caller then
/// takes it down.
std::optional<Answer> refused_afterwards(const Call& call, const CallerSocket& socket,
                                         const Destination& destination);

/// Identity of the socket file that an O_PATH descriptor names.
std::optional<UnixSocketId> unix_socket_id(const os::Fd& object);

}  // namespace linux_backend
