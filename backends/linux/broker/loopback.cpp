// Connecting, and looking who took it.
#include "linux/broker/loopback.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/time.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include "linux/broker/broker.h"

namespace linux_backend {
namespace {

using Milliseconds = std::int64_t;

constexpr Milliseconds shortest_pause = 2;
constexpr Milliseconds longest_pause = 100;
/// As long as the kernel tries by default: net.ipv4.tcp_syn_retries.
constexpr Milliseconds longest_wait = 130'000;
/// For a kernel that is too busy to deliver packets within connect(2).
constexpr int handshake_milliseconds = 10;

/// While it lives, connect(2) on a blocking socket waits for the shortest time that there is.
class ShortWait {
  public:
    explicit ShortWait(const CallerSocket& socket) : socket_(socket) {
        socklen_t size = sizeof before_;
        const timeval shortest = {0, 1};
        changed_ =
            socket.blocking &&
            ::getsockopt(socket.fd.get(), SOL_SOCKET, SO_SNDTIMEO, &before_, &size) == 0 &&
            ::setsockopt(socket.fd.get(), SOL_SOCKET, SO_SNDTIMEO, &shortest, sizeof shortest) == 0;
    }
    ~ShortWait() {
        if (changed_)
            ::setsockopt(socket_.fd.get(), SOL_SOCKET, SO_SNDTIMEO, &before_, sizeof before_);
    }
    ShortWait(const ShortWait&) = delete;
    ShortWait& operator=(const ShortWait&) = delete;

  private:
    const CallerSocket& socket_;
    timeval before_ = {};
    bool changed_ = false;
};

int connection_state(const CallerSocket& socket) {
    tcp_info info = {};
    socklen_t size = sizeof info;
    const bool known = ::getsockopt(socket.fd.get(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0;
    return known ? int{info.tcpi_state} : int{TCP_CLOSE};
}

bool is_under_way(const CallerSocket& socket) {
    const int state = connection_state(socket);
    return state == TCP_SYN_SENT || state == TCP_SYN_RECV;
}

int pending_error(const CallerSocket& socket) {
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(socket.fd.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

/// Nothing when the handshake did not end at once; it is undone then.
std::optional<Answer> try_to_connect(const Call& call, const CallerSocket& socket,
                                     const Destination& destination) {
    // The listener must not go away before we have looked whether it took the connection.
    const os::Fd kept = call.broker().listeners().keep(destination.receivers);
    // Else the handshake could begin with the first data, at whoever listens by then.
    const int no = 0;
    ::setsockopt(socket.fd.get(), IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &no, sizeof no);
    int error = 0;
    {
        const ShortWait wait(socket);
        const SocketAddress& to = destination.address;
        if (::connect(socket.fd.get(), to.get(), to.length) != 0) error = errno;
    }
    if (error != 0 && error != EINPROGRESS && error != EINTR) return Answer::error(error);
    if (is_under_way(socket)) {
        pollfd connected = {socket.fd.get(), POLLOUT, 0};
        ::poll(&connected, 1, handshake_milliseconds);
    }
    if (is_under_way(socket)) {
        dissolve(socket);
        if (error == EINTR) return Answer::error(EINTR);
        return std::nullopt;
    }
    // A refusal by the kernel waits in SO_ERROR.
    if (connection_state(socket) == TCP_CLOSE) {
        if (error != 0 && socket.blocking) error = pending_error(socket);
        return error == 0 ? Answer::value(0) : Answer::error(error);
    }
    if (auto refusal = refused_afterwards(call, socket, destination)) {
        dissolve(socket);
        return refusal;
    }
    return error == 0 || socket.blocking ? Answer::value(0) : Answer::error(error);
}

/// How long the caller lets its socket wait.
Milliseconds patience(const CallerSocket& socket) {
    timeval own = {};
    socklen_t size = sizeof own;
    if (::getsockopt(socket.fd.get(), SOL_SOCKET, SO_SNDTIMEO, &own, &size) != 0 ||
        (own.tv_sec == 0 && own.tv_usec == 0))
        return longest_wait;
    return std::min<Milliseconds>(own.tv_sec * 1000 + own.tv_usec / 1000, longest_wait);
}

Answer keep_trying(PendingConnect& pending) {
    const Milliseconds most = patience(pending.socket);
    Milliseconds pause = shortest_pause;
    for (Milliseconds waited = 0; waited < most; waited += pause) {
        pause = std::min({pause * 2, longest_pause, std::max<Milliseconds>(most - waited, 1)});
        const timespec time = {0, pause * 1'000'000};
        if (::nanosleep(&time, nullptr) != 0) return Answer::error(EINTR);
        if (auto judged = judge_again(pending.call(), pending.socket, pending.destination); !judged)
            return std::move(judged.error());
        if (auto answer = try_to_connect(pending.call(), pending.socket, pending.destination))
            return std::move(*answer);
    }
    return Answer::error(most < longest_wait ? EINPROGRESS : ETIMEDOUT);
}

Answer connect_stream(const Call& call, CallerSocket socket, Destination destination) {
    if (auto answer = try_to_connect(call, socket, destination)) return std::move(*answer);
    if (!socket.blocking) return Answer::error(ECONNREFUSED);
    call.own_identity();
    auto pending =
        std::make_shared<PendingConnect>(call, std::move(socket), std::move(destination));
    return call.on_own_thread([pending] { return keep_trying(*pending); });
}

Answer connect_datagrams(const Call& call, const CallerSocket& socket,
                         const Destination& destination) {
    if (destination.receivers.empty()) return Answer::error(ECONNREFUSED);
    const bool was_bound = is_bound(socket);
    if (!was_bound) keep_to_loopback(socket);
    const int error = call.broker().associations().connect(socket, destination.address);
    if (error != 0) return Answer::error(error);
    if (auto refusal = refused_afterwards(call, socket, destination)) {
        dissolve(socket);
        return std::move(*refusal);
    }
    if (!was_bound) remember_port(call, socket);
    return Answer::value(0);
}

}  // namespace

Answer connect_inside(const Call& call, CallerSocket socket, Destination destination) {
    return socket.connects() ? connect_stream(call, std::move(socket), std::move(destination))
                             : connect_datagrams(call, socket, destination);
}

}  // namespace linux_backend
