// Packets from the witness are arrays of Told.
#include "linux/witness.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace linux_backend {
namespace {

/// A signal and who sent it; or, with `signal` 0, the end of what was known when question `number`
/// came. Number 0 is never asked: with it the witness tells its own pid.
struct Told {
    int signal = 0;
    int number = 0;
    pid_t pid = 0;
};
constexpr std::size_t told_limit = 64;

constexpr int first_queued_signal = 32;
constexpr std::chrono::seconds sighting_lasts(1);
constexpr int patience_milliseconds = 100;
constexpr int attempts = 5;

bool send_all(int socket, const Told* told, std::size_t count) {
    const std::size_t size = count * sizeof(Told);
    return ::send(socket, told, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

/// Tells of the signals that are pending; false when nobody listens.
bool tell_signals(int signals, int socket) {
    std::array<Told, told_limit> told;
    for (;;) {
        std::size_t count = 0;
        signalfd_siginfo info;
        while (count < told.size() && ::read(signals, &info, sizeof info) == sizeof info)
            told[count++] = {static_cast<int>(info.ssi_signo), 0, static_cast<pid_t>(info.ssi_pid)};
        if (count > 0 && !send_all(socket, told.data(), count)) return false;
        if (count < told.size()) return true;
    }
}

}  // namespace

void run_witness(os::Fd front, pid_t group) {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    const os::Fd signals(::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals || ::setpgid(0, group) != 0) ::_exit(0);
    const Told hello{0, 0, ::getpid()};
    if (!send_all(front.get(), &hello, 1)) ::_exit(0);
    pollfd sources[2] = {{signals.get(), POLLIN, 0}, {front.get(), POLLIN, 0}};
    for (;;) {
        if (::poll(sources, 2, -1) < 0 && errno != EINTR) ::_exit(0);
        int question = 0;
        if (sources[1].revents != 0 &&
            ::recv(front.get(), &question, sizeof question, 0) != sizeof question)
            ::_exit(0);
        if (!tell_signals(signals.get(), front.get())) ::_exit(0);
        const Told end{0, question, 0};
        if (question != 0 && !send_all(front.get(), &end, 1)) ::_exit(0);
    }
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
    std::array<Told, told_limit> told;
    const ssize_t size = ::recv(socket_.get(), told.data(), sizeof told, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return Heard::nothing;
    if (size <= 0) {
        socket_.reset();
        return Heard::end;
    }
    const std::size_t count = static_cast<std::size_t>(size) / sizeof(Told);
    if (told[0].signal == 0) {
        if (told[0].number == 0) pid_ = told[0].pid;
        return told[0].number != 0 && told[0].number == question_ ? Heard::answer : Heard::news;
    }
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t index = 0; index < count; ++index)
        if (told[index].pid != ::getpid()) sightings_.add(told[index].signal, now);
    return Heard::news;
}

void Witness::listen() {
    for (Heard heard = Heard::news; socket_ && heard != Heard::nothing;) heard = receive();
}

bool Witness::ask() {
    if (!socket_) return false;
    ++question_;
    if (::send(socket_.get(), &question_, sizeof question_, MSG_NOSIGNAL) != sizeof question_)
        return false;
    for (int attempt = 0; attempt < attempts;) {
        pollfd source = {socket_.get(), POLLIN, 0};
        const int ready = ::poll(&source, 1, patience_milliseconds);
        if (ready < 0 && errno != EINTR) return false;
        if (ready == 0) {
            // Stopped with the group, while only the front was continued.
            if (pid_ > 0) ::kill(pid_, SIGCONT);
            ++attempt;
        }
        const Heard heard = ready > 0 ? receive() : Heard::nothing;
        if (heard == Heard::answer) return true;
        if (heard == Heard::end) return false;
    }
    return false;
}

}  // namespace linux_backend
