// A socket of the caller, as the broker's own duplicate.
#pragma once

#include <linux/seccomp.h>
#include <sys/socket.h>

#include <cstdint>
#include <memory>

#include "linux/broker/bound_sockets.h"
#include "linux/broker/call.h"
#include "linux/broker/caller.h"
#include "linux/broker/socket_address.h"
#include "os/fd.h"

namespace linux_backend {

/// Shares everything but the descriptor flags with the caller's. What is decided on it is performed
/// on it, whatever the caller's descriptor number means by then.
struct CallerSocket {
    os::Fd fd;
    int domain = 0;    ///< AF_…
    int type = 0;      ///< SOCK_… without flags.
    int protocol = 0;  ///< IPPROTO_…
    bool blocking = true;

    Transport transport() const {
        return type == SOCK_DGRAM ? Transport::datagram : Transport::stream;
    }
    bool internet() const { return domain == AF_INET || domain == AF_INET6; }
    /// Whether an operation may wait for the other side.
    bool connects() const { return type != SOCK_DGRAM && type != SOCK_RAW; }
};

/// EBADF, ENOTSOCK; EACCES for a socket of a family that cannot be judged (made outside and handed
/// in).
OrErrno<CallerSocket> caller_socket(const Call& call, int descriptor);

/// Whether it has a name of its own: a port, a path.
bool is_bound(const CallerSocket& socket);

/// Takes a connection or an association down.
void dissolve(const CallerSocket& socket);

/// st_ino, by which /proc/net and sock_diag name it.
std::uint64_t socket_inode(const CallerSocket& socket);

/// Keeps what arrives by other interfaces away from a socket. Only CAP_NET_RAW, which nothing
/// inside has, could undo it. False when the socket is kept to another interface already.
bool keep_to_loopback(const CallerSocket& socket);

/// A datagram socket that got a port from the kernel, by sending or connecting: replies come to it,
/// and they stay inside.
void remember_port(const Call& call, const CallerSocket& socket);

/// Performs bind(2) for an internet address by the rules for it, and remembers the socket: an
/// address of loopback as asked, all addresses on the loopback interface only.
Answer bind_internet(const Call& call, const CallerSocket& socket, const SocketAddress& address);

/// A call that outlives its handler, for work on a thread of its own.
class KeptCall {
  public:
    explicit KeptCall(const Call& call);
    KeptCall(const KeptCall&) = delete;
    KeptCall& operator=(const KeptCall&) = delete;
    const Call& call() const { return call_; }

  private:
    seccomp_notif notification_;
    Call call_;
};

}  // namespace linux_backend
