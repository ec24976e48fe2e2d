// Sending: each message is copied, decided on and sent by the broker on the caller's own socket.
// Also those without an address, as another thread could put one in, or exchange the descriptor,
// after the decision.
#include <linux/in6.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/destination.h"
#include "linux/broker/handlers.h"
#include "linux/broker/message.h"
#include "linux/broker/socket.h"

namespace linux_backend {
namespace {

constexpr std::size_t piece = std::size_t{256} << 10;  // Of a stream, at once.
constexpr std::size_t largest_datagram = std::size_t{16} << 20;
constexpr unsigned most_messages = 1024;  // UIO_MAXIOV

enum class Wait : std::uint8_t { no, yes };

/// A message that may be sent.
struct Delivery {
    Message message;
    Destination destination;
    std::uint64_t sent = 0;
    bool first = true;  ///< Address and control messages go with the first piece.
};

bool is_stream(const CallerSocket& socket) {
    return socket.type == SOCK_STREAM;
}

OrAnswer<Delivery> prepare(const Call& call, const CallerSocket& socket, OrErrno<Message> message) {
    if (!message) return tl::unexpected<Answer>(Answer::error(message.error()));
    if (!call.valid()) return tl::unexpected<Answer>(Answer::error(ESRCH));
    Delivery delivery{std::move(*message), {}, 0, true};
    const bool fast_open =
        socket.protocol == IPPROTO_TCP && (delivery.message.flags & MSG_FASTOPEN) != 0;
    // TCP knows an address in sending only for this.
    if (!delivery.message.to || (socket.protocol == IPPROTO_TCP && !fast_open)) return delivery;
    auto destination = find_destination(call, socket, *delivery.message.to,
                                        fast_open ? Reach::connect : Reach::send);
    if (!destination) return tl::unexpected<Answer>(std::move(destination.error()));
    // As where net.ipv4.tcp_fastopen forbids it: callers go on with connect(2).
    if (fast_open) return tl::unexpected<Answer>(Answer::error(EOPNOTSUPP));
    delivery.destination = std::move(*destination);
    return delivery;
}

ssize_t send_once(const CallerSocket& socket, Delivery& delivery, std::span<std::byte> bytes,
                  Wait wait) {
    iovec range{bytes.data(), bytes.size()};
    msghdr header = {};
    header.msg_iov = &range;
    header.msg_iovlen = 1;
    if (delivery.first) {
        SocketAddress& to = delivery.destination.address;
        if (to.length > 0) header.msg_name = &to.storage;
        header.msg_namelen = to.length;
        if (!delivery.message.control.empty()) header.msg_control = delivery.message.control.data();
        header.msg_controllen = delivery.message.control.size();
    }
    // MSG_ZEROCOPY would read our buffer when it holds something else already.
    int flags = (delivery.message.flags & ~(MSG_ZEROCOPY | MSG_FASTOPEN)) | MSG_NOSIGNAL;
    if (wait == Wait::no) flags |= MSG_DONTWAIT;
    const ssize_t result = ::sendmsg(socket.fd.get(), &header, flags);
    if (result < 0 && errno == EPERM && delivery.first &&
        name_broker_in_credentials(delivery.message))
        return ::sendmsg(socket.fd.get(), &header, flags);
    return result;
}

/// The buffer that a message needs at once. EMSGSIZE when no socket would take it.
OrErrno<std::size_t> buffer_size(const CallerSocket& socket, const Delivery& delivery) {
    const std::uint64_t left = delivery.message.payload.left();
    if (is_stream(socket)) return std::min<std::uint64_t>(left, piece);
    if (left > largest_datagram) return failed(EMSGSIZE);
    return left;
}

/// Sends until all is sent, or the socket would have to wait and may not. The errno counts only
/// when nothing was sent.
OrErrno<void> send_all(const Call& call, const CallerSocket& socket, Delivery& delivery,
                       Wait wait) {
    std::vector<std::byte> buffer;
    RemoteBytes& payload = delivery.message.payload;
    do {
        const auto size = buffer_size(socket, delivery);
        if (!size) return failed(size.error());
        buffer.resize(*size);
        call.own_identity();
        const auto filled = payload.peek(call.caller(), buffer);
        if (!filled) return failed(filled.error());
        if (*filled < buffer.size() && !is_stream(socket)) return failed(EFAULT);
        if (!call.valid()) return failed(ESRCH);
        if (auto assumed = call.assume_identity(); !assumed) return assumed;
        const ssize_t result = send_once(socket, delivery, std::span(buffer).first(*filled), wait);
        if (result < 0) return failed(errno);
        delivery.first = false;
        delivery.sent += static_cast<std::uint64_t>(result);
        payload.take(is_stream(socket) ? static_cast<std::uint64_t>(result) : payload.left());
    } while (payload.left() > 0);
    return {};
}

/// The messages of one call, and how far they have come.
struct Batch {
    Batch(const Call& of, CallerSocket on) : kept(of), socket(std::move(on)) {}

    const Call& call() const { return kept.call(); }
    bool many() const { return entries != 0; }

    KeptCall kept;
    CallerSocket socket;
    std::uint64_t entries =
        0;  ///< Address of the caller's mmsghdr array; 0 for sendto and sendmsg.
    unsigned count = 1;
    unsigned done = 0;
    int flags = 0;
    std::optional<Delivery> current;
};

/// What write(2) does beside EPIPE. Before the answer, so that the caller dies in this call as it
/// would natively.
void deliver_sigpipe(const Batch& batch, const Delivery& delivery, int error_number) {
    const Call& call = batch.call();
    if (error_number != EPIPE || !is_stream(batch.socket) ||
        (delivery.message.flags & MSG_NOSIGNAL) != 0)
        return;
    call.own_identity();
    if (call.valid())
        ::syscall(SYS_tgkill, call.caller().process(), call.caller().thread(), SIGPIPE);
}

/// The end of a call that could not send the next message.
Answer stopped(const Batch& batch, Answer answer) {
    return batch.done > 0 ? Answer::value(batch.done) : std::move(answer);
}

Answer completed(Batch& batch) {
    const Delivery delivery = std::move(*batch.current);
    batch.current.reset();
    if (!batch.many()) return Answer::value(static_cast<std::int64_t>(delivery.sent));
    batch.call().own_identity();
    const auto length = static_cast<unsigned>(delivery.sent);
    const std::uint64_t field =
        batch.entries + batch.done * sizeof(mmsghdr) + offsetof(mmsghdr, msg_len);
    if (auto written = batch.call().caller().write(field, std::as_bytes(std::span(&length, 1)));
        !written)
        return stopped(batch, Answer::error(written.error()));
    ++batch.done;
    return Answer::value(batch.done);
}

/// Whether the next try may wait, on a thread of its own.
bool would_wait(const Batch& batch, int error_number, Wait wait) {
    return error_number == EAGAIN && wait == Wait::no && batch.socket.blocking &&
           (batch.flags & MSG_DONTWAIT) == 0;
}

/// Sends the messages that are left. Nothing when one would have to wait.
std::optional<Answer> run(Batch& batch, Wait wait) {
    const Call& call = batch.call();
    Answer answer = Answer::value(0);
    while (batch.done < batch.count) {
        if (!batch.current) {
            const std::uint64_t entry = batch.entries + batch.done * sizeof(mmsghdr);
            auto prepared =
                prepare(call, batch.socket, copy_message(call, batch.socket, entry, batch.flags));
            if (!prepared) return stopped(batch, std::move(prepared.error()));
            batch.current = std::move(*prepared);
        }
        const bool look_at_port =
            batch.socket.internet() && batch.socket.type == SOCK_DGRAM && batch.current->message.to;
        const bool was_bound = !look_at_port || is_bound(batch.socket);
        // The port that it gets is for answers from inside.
        if (!was_bound) keep_to_loopback(batch.socket);
        const auto sent = send_all(call, batch.socket, *batch.current, wait);
        if (!sent && would_wait(batch, sent.error(), wait)) return std::nullopt;
        if (!sent && (batch.current->sent == 0 || batch.current->first)) {
            deliver_sigpipe(batch, *batch.current, sent.error());
            return stopped(batch, Answer::error(sent.error()));
        }
        if (!was_bound) remember_port(call, batch.socket);
        answer = completed(batch);
        if (!batch.many() || answer.kind != Answer::Kind::value || !sent) return answer;
    }
    return answer;
}

Answer start(std::shared_ptr<Batch> batch) {
    if (auto answer = run(*batch, Wait::no)) return std::move(*answer);
    batch->call().own_identity();
    return batch->call().on_own_thread([batch] {
        auto answer = run(*batch, Wait::yes);
        return answer ? std::move(*answer) : Answer::error(EAGAIN);
    });
}

Answer send_one(const Call& call, CallerSocket socket, OrErrno<Message> message, int flags) {
    auto prepared = prepare(call, socket, std::move(message));
    if (!prepared) return std::move(prepared.error());
    auto batch = std::make_shared<Batch>(call, std::move(socket));
    batch->flags = flags;
    batch->current = std::move(*prepared);
    return start(std::move(batch));
}

}  // namespace

Answer serve_sendto(const Call& call) {
    auto socket = caller_socket(call, call.int_argument(0));
    if (!socket) return Answer::error(socket.error());
    return send_one(call, std::move(*socket), message_of_sendto(call), call.int_argument(3));
}

Answer serve_sendmsg(const Call& call) {
    auto socket = caller_socket(call, call.int_argument(0));
    if (!socket) return Answer::error(socket.error());
    const int flags = call.int_argument(2);
    auto message = copy_message(call, *socket, call.argument(1), flags);
    return send_one(call, std::move(*socket), std::move(message), flags);
}

Answer serve_sendmmsg(const Call& call) {
    auto socket = caller_socket(call, call.int_argument(0));
    if (!socket) return Answer::error(socket.error());
    auto batch = std::make_shared<Batch>(call, std::move(*socket));
    batch->entries = call.argument(1);
    batch->count = std::min(static_cast<unsigned>(call.argument(2)), most_messages);
    batch->flags = call.int_argument(3);
    if (batch->count > 0 && batch->entries == 0) return Answer::error(EFAULT);
    return start(std::move(batch));
}

}  // namespace linux_backend
