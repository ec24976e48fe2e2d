// Datagram sockets that are connected to servers inside: the address that they send to outlives the
// server.
#pragma once

#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "linux/broker/membership.h"
#include "linux/broker/registry.h"
#include "linux/broker/socket.h"
#include "linux/broker/socket_address.h"
#include "os/fd.h"

namespace linux_backend {

/// Keeps a duplicate of each such socket, and disconnects it when no socket made inside receives at
/// its destination any more, or one from outside does too: within a moment after a server was
/// closed, which the kernel tells, else within `interval`. A socket that no process inside has open
/// is let go, disconnected. Thread-safe.
class Associations {
  public:
    Associations(Registry& registry, const Members& members)
        : registry_(registry), members_(members) {}
    ~Associations();
    Associations(const Associations&) = delete;
    Associations& operator=(const Associations&) = delete;

    /// Connects `socket` to `to`, and watches it as long as it is. Returns 0 or an errno.
    int connect(const CallerSocket& socket, const SocketAddress& to);

    /// Lets go of sockets bound to `port` that the callers have closed: somebody wants the port.
    void release(std::uint16_t port);

  private:
    struct Watched {
        os::Fd socket;
        std::uint64_t inode = 0;
        InternetAddress to;
    };

    bool start();
    void watch();
    void check();
    void let_go_of_closed(const std::vector<std::uint64_t>& asked);

    Registry& registry_;
    const Members& members_;
    std::mutex lock_;
    std::vector<Watched> watched_;
    os::Fd wake_;    ///< eventfd(2): there is something to watch, or the end has come.
    os::Fd closed_;  ///< Netlink: a datagram socket was closed, whoever had it. May be empty.
    bool stop_ = false;
    std::thread watcher_;
};

}  // namespace linux_backend
