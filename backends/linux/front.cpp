// The front's loop.
#include "linux/front.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "linux/broker/membership.h"
#include "linux/channel.h"
#include "linux/descendants.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

/// Signals that only the started process gets, whoever sends them: timers and limits that survive
/// exec.
bool is_ours_alone(unsigned signal) {
    return signal == SIGALRM || signal == SIGVTALRM || signal == SIGPROF || signal == SIGXCPU ||
           signal == SIGIO;
}

bool is_stopped(pid_t pid) {
    ProcessStat stat;
    return read_process_stat(pid, stat) && stat.state == 'T';
}

class Front {
  public:
    explicit Front(os::Fd broker) : broker_(std::move(broker)) {
        sigset_t all;
        ::sigfillset(&all);
        for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) ::sigdelset(&all, signal);
        signals_.reset(::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
    }

    core::Result<launch::Outcome> run() {
        pollfd sources[2] = {{signals_.get(), POLLIN, 0}, {broker_.get(), POLLIN, 0}};
        for (;;) {
            if (::poll(sources, 2, -1) < 0 && errno != EINTR) return lost();
            pass_signals();
            if (sources[1].revents == 0) continue;
            const auto frame = receive_frame(broker_);
            if (!frame) return lost();
            if (frame->kind == Message::refused) return core::fail(decode_error(frame->body));
            if (frame->kind == Message::ended) return finished(*frame);
            if (frame->kind == Message::started) command_started(*frame);
            if (frame->kind == Message::stopped) stop_likewise(*frame);
        }
    }

  private:
    void command_started(const Frame& frame) {
        if (frame.body.size() != sizeof command_) return;
        std::memcpy(&command_, frame.body.data(), sizeof command_);
        command_fd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, command_, 0)));
        for (const int signal : early_) send(signal);
        early_.clear();
    }

    void pass_signals() {
        signalfd_siginfo info;
        while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
            if (info.ssi_signo == SIGCHLD) continue;
            // What the terminal or the kernel sends, it sends to the whole group, the command
            // included.
            const bool from_process = info.ssi_code <= 0;
            const bool as_leader = ::getsid(0) == ::getpid() &&
                                   (info.ssi_signo == SIGHUP || info.ssi_signo == SIGCONT);
            if (from_process || as_leader || is_ours_alone(info.ssi_signo))
                send(static_cast<int>(info.ssi_signo));
        }
    }

    void send(int signal) {
        if (command_fd_) {
            ::syscall(SYS_pidfd_send_signal, command_fd_.get(), signal, nullptr, 0);
        } else if (command_ == 0) {
            early_.push_back(signal);
        } else {
            ::kill(command_, signal);
        }
    }

    /// The caller waits for us and must see us stop when the command does, unless both were stopped
    /// together and it runs again.
    void stop_likewise(const Frame& frame) {
        int signal = 0;
        if (frame.body.size() != sizeof signal || !is_stopped(command_)) return;
        std::memcpy(&signal, frame.body.data(), sizeof signal);
        ::kill(::getpid(),
               signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU ? signal : SIGSTOP);
    }

    core::Result<launch::Outcome> finished(const Frame& frame) {
        auto outcome = decode_outcome(frame.body);
        if (!outcome) return lost();
        return std::move(*outcome);
    }

    core::Result<launch::Outcome> lost() {
        kill_descendants();
        return core::fail(
            core::Error{"go on", "sandbox", 0,
                        "the broker was ended from outside; everything inside was ended with it",
                        "run the command again"});
    }

    os::Fd broker_;
    os::Fd signals_;
    pid_t command_ = 0;
    os::Fd command_fd_;
    std::vector<int> early_;  ///< Signals that came before the command ran.
};

}  // namespace

core::Result<launch::Outcome> wait_for_command(os::Fd broker) {
    return Front(std::move(broker)).run();
}

void release_descriptors(const std::vector<int>& kept, int own) {
    std::vector<int> sorted = kept;
    sorted.push_back(own);
    std::sort(sorted.begin(), sorted.end());
    unsigned first = 0;
    for (const int fd : sorted) {
        if (fd < 0 || static_cast<unsigned>(fd) < first) continue;
        if (static_cast<unsigned>(fd) > first)
            os::close_range(first, static_cast<unsigned>(fd) - 1);
        first = static_cast<unsigned>(fd) + 1;
    }
    os::close_range(first, ~0U);
}

}  // namespace linux_backend
