// A process outside the sandbox that attempts aim at.
#include "ctl/verify/victim.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "ctl/verify/attempt.h"

namespace ctl::verify {
namespace {

constexpr std::size_t page = 4096;

void end_process(pid_t pid) {
    kill(pid, SIGKILL);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

/// Of the child, from the fork on.
[[noreturn]] void be_victim(int ready, pid_t owner) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != owner) _exit(0);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    setpgid(0, 0);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    if (write(ready, "", 1) != 1) _exit(1);
    while (true) pause();
}

}  // namespace

core::Result<std::shared_ptr<Victim>> Victim::start(const std::string& secret) {
    std::shared_ptr<Victim> victim(new Victim);
    void* const memory =
        mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ends[2];
    if (memory == MAP_FAILED || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return core::fail(core::system_error("start", "a process to aim at"));
    victim->memory_ = static_cast<char*>(memory);
    std::memcpy(victim->memory_, secret.c_str(), secret.size() + 1);
    victim->read_end_.reset(ends[0]);
    victim->write_end_.reset(ends[1]);
    const pid_t owner = getpid();
    victim->pid_ = fork();
    if (victim->pid_ < 0) return core::fail(core::system_error("start", "a process to aim at"));
    if (victim->pid_ == 0) be_victim(victim->write_end_.get(), owner);
    // It is ready once it has written.
    char byte;
    while (read(victim->read_end_.get(), &byte, 1) != 1) {
        if (waitpid(victim->pid_, nullptr, WNOHANG) != 0) {
            victim->pid_ = -1;
            return core::fail(core::system_error("start", "a process to aim at"));
        }
        usleep(100);
    }
    return victim;
}

Victim::~Victim() {
    if (pid_ > 0) end_process(pid_);
    if (memory_ != nullptr) munmap(memory_, page);
}

std::string Victim::received() const {
    char buffer[256];
    const ssize_t count = read(read_end_.get(), buffer, sizeof buffer);
    return count > 0 ? std::string(buffer, static_cast<std::size_t>(count)) : std::string();
}

std::shared_ptr<pid_t> start_waiting_program(const std::string& path,
                                             const std::string& environment) {
    int input[2], output[2];
    if (pipe2(input, O_CLOEXEC) != 0) return nullptr;
    const os::Fd input_end(input[0]);
    const auto open_end = std::make_shared<os::Fd>(input[1]);
    if (pipe2(output, O_CLOEXEC) != 0) return nullptr;
    const os::Fd told(output[0]);
    os::Fd tell(output[1]);
    const char* const words[] = {path.c_str(), attempt_command.data(), wait_name.data(), nullptr};
    const char* const variables[] = {environment.c_str(), nullptr};
    const pid_t pid = fork();
    if (pid < 0) return nullptr;
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(input_end.get(), STDIN_FILENO);
        dup2(tell.get(), STDOUT_FILENO);
        execve(path.c_str(), const_cast<char* const*>(words), const_cast<char* const*>(variables));
        _exit(127);
    }
    tell.reset();
    // It has its environment once it says something.
    char byte;
    [[maybe_unused]] const ssize_t count = read(told.get(), &byte, 1);
    return {new pid_t(pid), [open_end](pid_t* process) {
                end_process(*process);
                delete process;
            }};
}

}  // namespace ctl::verify
