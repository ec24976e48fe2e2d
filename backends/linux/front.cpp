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
#include "linux/witness.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

bool is_stopped(pid_t pid) {
    ProcessStat stat;
    return read_process_stat(pid, stat) && stat.state == 'T';
}

class Front {
  public:
    Front(os::Fd broker, os::Fd witness)
        : broker_(std::move(broker)), witness_(std::move(witness)) {
        sigset_t all;
        ::sigfillset(&all);
        for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) ::sigdelset(&all, signal);
        signals_.reset(::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
    }

    core::Result<launch::Outcome> run() {
        pollfd sources[3] = {{signals_.get(), POLLIN, 0}, {broker_.get(), POLLIN, 0}, {}};
        for (;;) {
            sources[2] = {witness_.descriptor(), POLLIN, 0};
            if (::poll(sources, 3, -1) < 0 && errno != EINTR) return lost();
            if (sources[2].revents != 0) witness_.listen();
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

    /// Appends the signals that came; false when there was none.
    bool take_signals(std::vector<signalfd_siginfo>& taken) {
        const std::size_t before = taken.size();
        signalfd_siginfo info;
        while (::read(signals_.get(), &info, sizeof info) == sizeof info)
            if (info.ssi_signo != SIGCHLD) taken.push_back(info);
        return taken.size() > before;
    }

    void pass_signals() {
        std::vector<signalfd_siginfo> taken;
        bool informed = false;
        // Asked after the last signal was taken, the witness knows whether that one was for all.
        while (take_signals(taken)) informed = witness_.ask();
        if (taken.empty()) return;
        for (const signalfd_siginfo& info : taken) {
            const auto signal = static_cast<int>(info.ssi_signo);
            // What the terminal or the kernel sends, it sends to the group.
            const bool to_group = informed ? witness_.sightings().claim(signal) : info.ssi_code > 0;
            if (!to_group || command_missed_it()) send(signal);
        }
        witness_.sightings().end_turn(std::chrono::steady_clock::now());
    }

    /// Whether what our group got did not come to the command, which as the process that the caller
    /// started would have led that group: an interactive shell makes a group of its own.
    bool command_missed_it() const {
        if (command_ == 0) return true;
        return ::getpgrp() == ::getpid() && ::getpgid(command_) != ::getpgrp();
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
        if (!outcome->all_ended) witness_.dismiss();
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
    Witness witness_;
    os::Fd signals_;
    pid_t command_ = 0;
    os::Fd command_fd_;
    std::vector<int> early_;  ///< Signals that came before the command ran.
};

}  // namespace

core::Result<launch::Outcome> wait_for_command(os::Fd broker, os::Fd witness) {
    return Front(std::move(broker), std::move(witness)).run();
}

void release_descriptors(const std::vector<int>& kept, std::initializer_list<int> own) {
    std::vector<int> sorted = kept;
    sorted.insert(sorted.end(), own.begin(), own.end());
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
