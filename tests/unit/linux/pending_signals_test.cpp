// A signal counts when the thread would run a handler for it, or stop.
#include "linux/broker/pending_signals.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

using namespace linux_backend;

namespace {

/// A child that stopped itself after `prepare`: what is sent to it stays pending.
class StoppedChild {
  public:
    explicit StoppedChild(void (*prepare)()) : pid_(::fork()) {
        if (pid_ == 0) {
            prepare();
            ::raise(SIGSTOP);
            ::_exit(0);
        }
        int status = 0;
        REQUIRE(::waitpid(pid_, &status, WUNTRACED) == pid_);
        REQUIRE(WIFSTOPPED(status));
    }
    ~StoppedChild() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    StoppedChild(const StoppedChild&) = delete;
    StoppedChild& operator=(const StoppedChild&) = delete;

    bool has_to_take(int signal) const {
        REQUIRE(::kill(pid_, signal) == 0);
        return has_signal_to_take(pid_);
    }
    pid_t pid() const { return pid_; }

  private:
    pid_t pid_;
};

void nothing(int) {}

}  // namespace

TEST_CASE("a signal with a handler interrupts, once it is there") {
    const StoppedChild child([] { ::signal(SIGUSR1, nothing); });
    CHECK_FALSE(has_signal_to_take(child.pid()));
    CHECK(child.has_to_take(SIGUSR1));
}

TEST_CASE("a signal that is blocked or ignored interrupts nothing") {
    const StoppedChild child([] {
        ::signal(SIGUSR1, nothing);
        sigset_t blocked;
        ::sigemptyset(&blocked);
        ::sigaddset(&blocked, SIGUSR1);
        ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
        ::signal(SIGUSR2, SIG_IGN);
    });
    CHECK_FALSE(child.has_to_take(SIGUSR1));
    CHECK_FALSE(child.has_to_take(SIGUSR2));
    CHECK_FALSE(child.has_to_take(SIGCHLD));
}

TEST_CASE("a stop from the terminal interrupts, unless it is ignored") {
    const StoppedChild stops([] { ::signal(SIGTSTP, SIG_DFL); });
    CHECK(stops.has_to_take(SIGTSTP));
    const StoppedChild ignores([] { ::signal(SIGTSTP, SIG_IGN); });
    CHECK_FALSE(ignores.has_to_take(SIGTSTP));
}

TEST_CASE("a thread that is gone has no signal to take") {
    CHECK_FALSE(has_signal_to_take(0x7ffffff0));
}
