// A message that the caller sends, as far as it is copied before anything is decided: address,
// control messages, and where its payload stands. Source: sendmsg(2), cmsg(3), unix(7), ip(7),
// ipv6(7), net/core/scm.c.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "linux/broker/call.h"
#include "linux/broker/socket.h"
#include "linux/broker/socket_address.h"

namespace linux_backend {

/// Ranges of the caller's memory, read from the front.
class RemoteBytes {
  public:
    void add(std::uint64_t address, std::uint64_t size);
    std::uint64_t left() const { return left_; }
    /// Copies up to `into.size()` bytes without taking them. EFAULT if not even the first can be
    /// read.
    OrErrno<std::size_t> peek(const Caller& caller, std::span<std::byte> into) const;
    void take(std::uint64_t size);

  private:
    std::vector<iovec> ranges_;
    std::size_t first_ = 0;
    std::uint64_t left_ = 0;
};

struct Message {
    std::optional<SocketAddress> to;
    RemoteBytes payload;
    std::vector<std::byte>
        control;  ///< Control messages with the numbers of the broker's own duplicates.
    std::vector<os::Fd> passed;  ///< Those duplicates.
    int flags = 0;
};

/// From a msghdr in the caller's memory. EMSGSIZE, EINVAL, EFAULT, ENOBUFS as the kernel; EBADF for
/// a descriptor to pass; EPERM for credentials that are not the caller's, and for control messages
/// that would change the route.
OrErrno<Message> copy_message(const Call& call, const CallerSocket& socket, std::uint64_t address,
                              int flags);

/// From the arguments of sendto(2).
OrErrno<Message> message_of_sendto(const Call& call);

/// Puts the broker's process into credentials to pass: another one than the sender's takes
/// CAP_SYS_ADMIN, which the broker of a plain user lacks. False when there are none.
bool name_broker_in_credentials(Message& message);

}  // namespace linux_backend
