// Each packet from the witness is a Told.
#include "linux/witness.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <utility>

namespace linux_backend {
namespace {

/// A signal and who sent it; or, with `signal` 0, the end of what was known when question `number`
/// came. Number 0 is never asked: with it the witness tells its own pid.
struct Told {
    int signal = 0;
    int number = 0;
    pid_t pid = 0;
};
constexpr int first_queued_signal = 32;
constexpr std::chrono::seconds sighting_lasts(1);
constexpr int patience_milliseconds = 100;
constexpr int attempts = 5;

}  // namespace

Testimony::Testimony(os::Fd front) : front_(std::move(front)) {
    const Told hello{0, 0, ::getpid()};
    ::send(front_.get(), &hello, sizeof hello, MSG_NOSIGNAL);
}

void Testimony::tell(const signalfd_siginfo& signal) {
    const Told told{static_cast<int>(signal.ssi_signo), 0, static_cast<pid_t>(signal.ssi_pid)};
    ::send(front_.get(), &told, sizeof told, MSG_NOSIGNAL);
}

bool Testimony::listen() {
    return ::recv(front_.get(), &question_, sizeof question_, 0) == sizeof question_;
}

void Testimony::confirm() {
    const Told end{0, std::exchange(question_, 0), 0};
    if (end.number != 0) ::send(front_.get(), &end, sizeof end, MSG_NOSIGNAL);
}

void Sightings::add(int signal, Time now) {
    Seen& seen = seen_[signal];
    ++seen.count;
    seen.last = now;
}

bool Sightings::claim(int signal) {
    const auto at = seen_.find(signal);
    if (at == seen_.end() || at->second.count == 0) return false;
    at->second.claimed = true;
    --at->second.count;
    return true;
}

void Sightings::end_turn(Time now) {
    for (auto at = seen_.begin(); at != seen_.end();) {
        const Seen& seen = at->second;
        const bool met = at->first < first_queued_signal ? seen.claimed : seen.count == 0;
        at = met || now - seen.last > sighting_lasts ? seen_.erase(at) : std::next(at);
    }
}

Witness::Heard Witness::receive() {
    Told told;
    const ssize_t size = ::recv(socket_.get(), &told, sizeof told, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return Heard::nothing;
    if (size != sizeof told) {
        socket_.reset();
        return Heard::end;
    }
    if (told.signal == 0) {
        if (told.number == 0) pid_ = told.pid;
        return told.number != 0 && told.number == question_ ? Heard::answer : Heard::news;
    }
    if (told.pid != ::getpid()) sightings_.add(told.signal, std::chrono::steady_clock::now());
    return Heard::news;
}

void Witness::listen() {
    for (Heard heard = Heard::news; socket_ && heard != Heard::nothing;) heard = receive();
}

void Witness::dismiss() {
    if (!socket_) return;
    ::shutdown(socket_.get(), SHUT_WR);
    while (wait() && receive() != Heard::end) {
    }
}

/// Waits for a packet, or the end; false when the witness is silent.
bool Witness::wait() {
    for (int attempt = 0; attempt < attempts; ++attempt) {
        pollfd source = {socket_.get(), POLLIN, 0};
        const int ready = ::poll(&source, 1, patience_milliseconds);
        if (ready > 0) return true;
        // Stopped with the group, while only the front was continued.
        if (ready == 0 && pid_ > 0) ::kill(pid_, SIGCONT);
    }
    return false;
}

bool Witness::ask() {
    if (!socket_) return false;
    ++question_;
    if (::send(socket_.get(), &question_, sizeof question_, MSG_NOSIGNAL) != sizeof question_)
        return false;
    while (wait()) {
        const Heard heard = receive();
        if (heard == Heard::answer) return true;
        if (heard == Heard::end) return false;
    }
    return false;
}

}  // namespace linux_backend
