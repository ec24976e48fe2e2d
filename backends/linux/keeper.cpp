// The keeper process.
#include "linux/keeper.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "linux/channel.h"
#include "linux/descendants.h"
#include "linux/witness.h"
#include "os/title.h"

namespace linux_backend {

void close_all_but(std::vector<int> kept) {
    std::sort(kept.begin(), kept.end());
    unsigned first = 3;
    for (const int each : kept) {
        if (each < static_cast<int>(first)) continue;
        const auto fd = static_cast<unsigned>(each);
        if (fd > first) os::close_range(first, fd - 1);
        first = fd + 1;
    }
    os::close_range(first, ~0U);
}

core::Error fork_error(const std::string& what) {
    core::Error error = core::system_error("start", what);
    if (error.code == EAGAIN) {
        error.detail = "the user may not start more processes";
        error.remedy = "end some, or raise the limit (ulimit -u)";
    }
    return error;
}

namespace {

/// Takes the signals that are pending; those that are not about children are told.
void take_signals(int signals, std::optional<Testimony>& testimony) {
    signalfd_siginfo info;
    while (::read(signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD && testimony) testimony->tell(info);
}

/// Reaps what ended; whether `broker` did.
bool has_ended(pid_t broker) {
    for (;;) {
        const pid_t ended = ::waitpid(-1, nullptr, WNOHANG | __WALL);
        if (ended == broker || (ended < 0 && errno == ECHILD)) return true;
        if (ended <= 0) return false;
    }
}

/// Serves as the witness while there is a front, until the broker has ended.
void keep(pid_t broker, os::Fd front) {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    const os::Fd signals(::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
    std::optional<Testimony> testimony(std::in_place, std::move(front));
    while (!has_ended(broker)) {
        pollfd sources[2] = {{signals.get(), POLLIN, 0},
                             {testimony ? testimony->descriptor() : -1, POLLIN, 0}};
        if (::poll(sources, 2, -1) < 0 && errno != EINTR) return;
        if (sources[1].revents != 0 && !testimony->listen()) {
            // The front ends; who ends its group then must not end what left that group.
            ::setpgid(0, 0);
            testimony.reset();
        }
        take_signals(signals.get(), testimony);
        if (testimony) testimony->confirm();
    }
}

}  // namespace

void run_keeper(SessionPlan plan) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    // A search for the command's text is to find the command, not us.
    os::set_title("sbxsh-keeper");
    const pid_t keeper = ::getpid();
    const pid_t broker = ::fork();
    if (broker == 0) {
        ::prctl(PR_SET_PDEATHSIG, keeper_gone, 0, 0, 0);
        if (::getppid() != keeper) ::_exit(125);
        // Out of the caller's group: its signals are for the command.
        ::setpgid(0, 0);
        plan.witness.reset();
        run_session(std::move(plan));
    }
    if (broker < 0) send_frame(plan.front, Message::refused, encode(fork_error("the broker")));
    for (int fd = 0; fd <= 2; ++fd) ::close(fd);
    close_all_but({plan.witness.get()});
    [[maybe_unused]] const int moved = ::chdir("/");
    if (broker > 0) keep(broker, std::move(plan.witness));
    kill_descendants();
    ::_exit(0);
}

}  // namespace linux_backend
