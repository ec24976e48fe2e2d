// Programs started to be watched.
#include "ctl/verify/run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "ctl/verify/attempt.h"
#include "os/fd.h"

namespace ctl::verify {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience(20);
constexpr int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

volatile sig_atomic_t interrupting_signal = 0;
sigset_t usual_mask;
struct sigaction usual_actions[std::size(ending_signals)];

void remember(int number) {
    interrupting_signal = number;
}

struct Pipe {
    os::Fd read_end, write_end;
};

core::Result<Pipe> make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return core::fail(core::system_error("make", "a pipe"));
    return Pipe{os::Fd(ends[0]), os::Fd(ends[1])};
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

/// One program that runs, and what came from it.
class Running {
  public:
    core::Result<void> start(const Launch& launch);
    Seen watch(const std::function<void(const Seen&)>& look);

  private:
    [[noreturn]] void become(const Launch& launch, char* const* words, char* const* variables);
    bool read_more(os::Fd& from, std::string& to);
    void find_held();

    Pipe input_, output_, complaints_;
    pid_t pid_ = -1;
    Seen seen_;
};

core::Result<void> Running::start(const Launch& launch) {
    for (Pipe* one : {&input_, &output_, &complaints_}) {
        auto made = make_pipe();
        if (!made) return core::fail(made.error());
        *one = *std::move(made);
    }
    const auto words = pointers_to(launch.words);
    const auto variables = pointers_to(launch.environment);
    pid_ = fork();
    if (pid_ < 0) return core::fail(core::system_error("start", launch.program));
    if (pid_ == 0) become(launch, words.data(), variables.data());
    input_.read_end.reset();
    output_.write_end.reset();
    complaints_.write_end.reset();
    return {};
}

void Running::become(const Launch& launch, char* const* words, char* const* variables) {
    for (const int number : ending_signals) ::signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &usual_mask, nullptr);
    if (launch.terminal >= 0) {
        setsid();
        ioctl(launch.terminal, TIOCSCTTY, 0);
    }
    dup2(launch.terminal >= 0 ? launch.terminal : input_.read_end.get(), STDIN_FILENO);
    dup2(output_.write_end.get(), STDOUT_FILENO);
    dup2(complaints_.write_end.get(), STDERR_FILENO);
    if (chdir(launch.directory.c_str()) == 0) execve(launch.program.c_str(), words, variables);
    const std::string text = std::string("it cannot be executed: ") + std::strerror(errno);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    _exit(127);
}

bool Running::read_more(os::Fd& from, std::string& to) {
    char buffer[4096];
    const ssize_t count = read(from.get(), buffer, sizeof buffer);
    if (count <= 0) from.reset();
    if (count > 0) to.append(buffer, static_cast<std::size_t>(count));
    return count > 0;
}

/// The process that waits to be looked at, once it has said so on a line of its own.
void Running::find_held() {
    const std::size_t at = seen_.output.find(holding_line);
    const std::size_t end = seen_.output.find('\n', at);
    if (at == std::string::npos || end == std::string::npos) return;
    seen_.held = std::atoi(seen_.output.c_str() + at + holding_line.size());
}

Seen Running::watch(const std::function<void(const Seen&)>& look) {
    const auto end = Clock::now() + patience;
    while (output_.read_end || complaints_.read_end) {
        pollfd waits[] = {{output_.read_end.get(), POLLIN, 0},
                          {complaints_.read_end.get(), POLLIN, 0}};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        const long milliseconds = std::max<long>(left.count(), 0);
        const timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1'000'000};
        if (ppoll(waits, std::size(waits), &wait, &usual_mask) <= 0) break;
        if (waits[0].revents != 0 && read_more(output_.read_end, seen_.output) && seen_.held < 0) {
            find_held();
            if (seen_.held >= 0) {
                look(seen_);
                input_.write_end.reset();
            }
        }
        if (waits[1].revents != 0) read_more(complaints_.read_end, seen_.complaints);
    }
    const bool ended = !output_.read_end && !complaints_.read_end;
    if (!ended) kill(pid_, SIGKILL);
    int status = -1;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    seen_.status = ended ? status : -1;
    return std::move(seen_);
}

}  // namespace

Interruption::Interruption() {
    interrupting_signal = 0;
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int number : ending_signals) sigaddset(&blocked, number);
    sigprocmask(SIG_BLOCK, &blocked, &usual_mask);
    struct sigaction action {};
    action.sa_handler = remember;
    for (std::size_t i = 0; i < std::size(ending_signals); ++i) {
        sigaction(ending_signals[i], nullptr, &usual_actions[i]);
        if (usual_actions[i].sa_handler != SIG_IGN) sigaction(ending_signals[i], &action, nullptr);
    }
}

Interruption::~Interruption() {
    for (std::size_t i = 0; i < std::size(ending_signals); ++i)
        sigaction(ending_signals[i], &usual_actions[i], nullptr);
    sigprocmask(SIG_SETMASK, &usual_mask, nullptr);
}

int Interruption::signal() {
    return interrupting_signal;
}

core::Result<Seen> run(const Launch& launch, const std::function<void(const Seen&)>& look) {
    Running running;
    if (auto started = running.start(launch); !started) return core::fail(started.error());
    return running.watch(look);
}

}  // namespace ctl::verify
