// The watcher. Source: sock_diag(7), linux/sock_diag.h.
#include "linux/broker/associations.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "linux/broker/holders.h"
#include "linux/broker/receivers.h"

namespace linux_backend {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int interval_milliseconds = 50;
/// Callers that closed their socket are found by looking at all processes.
constexpr auto closed_interval = std::chrono::seconds(1);

void disconnect(const os::Fd& socket) {
    const sockaddr nowhere = {AF_UNSPEC, {}};
    ::connect(socket.get(), &nowhere, sizeof nowhere);
}

os::Fd listen_for_closed() {
    os::Fd fd(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG));
    sockaddr_nl groups = {};
    groups.nl_family = AF_NETLINK;
    groups.nl_groups = 1U << (SKNLGRP_INET_UDP_DESTROY - 1) | 1U << (SKNLGRP_INET6_UDP_DESTROY - 1);
    if (fd && ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&groups), sizeof groups) != 0)
        fd.reset();
    return fd;
}

void drain(const os::Fd& fd) {
    std::array<char, 4096> ignored;
    while (::read(fd.get(), ignored.data(), ignored.size()) > 0) {
    }
}

}  // namespace

Associations::~Associations() {
    {
        const std::scoped_lock hold(lock_);
        stop_ = true;
        if (wake_) ::eventfd_write(wake_.get(), 1);
    }
    if (watcher_.joinable()) watcher_.join();
}

bool Associations::start() {
    if (watcher_.joinable()) return true;
    wake_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    closed_ = listen_for_closed();
    if (!wake_) return false;
    try {
        watcher_ = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
        return false;
    }
    return true;
}

int Associations::connect(const CallerSocket& socket, const SocketAddress& to) {
    Watched entry{os::Fd(::fcntl(socket.fd.get(), F_DUPFD_CLOEXEC, 0)), socket_inode(socket), {}};
    if (!entry.socket) return ENOBUFS;
    const std::scoped_lock hold(lock_);
    if (!start()) return ENOBUFS;
    if (::connect(socket.fd.get(), to.get(), to.length) != 0) return errno;
    const auto peer = peer_address(entry.socket);
    // Another thread of the caller disconnected it meanwhile.
    if (!peer) return 0;
    entry.to = *peer;
    std::erase_if(watched_, [&](const Watched& one) { return one.inode == entry.inode; });
    watched_.push_back(std::move(entry));
    ::eventfd_write(wake_.get(), 1);
    return 0;
}

void Associations::release(std::uint16_t port) {
    const std::scoped_lock hold(lock_);
    std::vector<std::uint64_t> asked;
    for (const Watched& one : watched_) {
        const auto own = own_address(one.socket);
        if (own && own->port == port) asked.push_back(one.inode);
    }
    if (!asked.empty()) let_go_of_closed(asked);
}

void Associations::watch() {
    auto next_search = Clock::now() + closed_interval;
    for (;;) {
        bool idle = false;
        {
            const std::scoped_lock hold(lock_);
            idle = watched_.empty();
        }
        pollfd sources[2] = {{wake_.get(), POLLIN, 0}, {closed_.get(), POLLIN, 0}};
        ::poll(sources, idle ? 1 : 2, idle ? -1 : interval_milliseconds);
        drain(wake_);
        if (closed_) drain(closed_);
        const std::scoped_lock hold(lock_);
        if (stop_) return;
        check();
        if (Clock::now() < next_search) continue;
        std::vector<std::uint64_t> all;
        for (const Watched& one : watched_) all.push_back(one.inode);
        if (!all.empty()) let_go_of_closed(all);
        next_search = Clock::now() + closed_interval;
    }
}

void Associations::check() {
    std::erase_if(watched_, [&](const Watched& one) {
        // Connected anew, by a decision of its own, or not at all.
        if (peer_address(one.socket) != one.to) return true;
        const Receivers there = receivers(registry_, Transport::datagram, one.to);
        if (!there.outside && !there.inside.empty()) return false;
        disconnect(one.socket);
        return true;
    });
}

void Associations::let_go_of_closed(const std::vector<std::uint64_t>& asked) {
    std::vector<std::uint64_t> held;
    for (const HeldSocket& socket : held_inside(members_, asked)) held.push_back(socket.inode);
    const auto is_among = [](const std::vector<std::uint64_t>& inodes, std::uint64_t inode) {
        return std::find(inodes.begin(), inodes.end(), inode) != inodes.end();
    };
    std::erase_if(watched_, [&](const Watched& one) {
        if (!is_among(asked, one.inode) || is_among(held, one.inode)) return false;
        // One that is on its way between processes must not come out of our sight connected.
        disconnect(one.socket);
        return true;
    });
}

}  // namespace linux_backend
