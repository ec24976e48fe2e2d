// The front's part: prepare everything, start the keeper, wait for the end.
#include "linux/sandbox.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "linux/channel.h"
#include "linux/floor.h"
#include "linux/front.h"
#include "linux/inherited.h"
#include "linux/keeper.h"
#include "linux/state.h"
#include "os/title.h"
#include "os/tree.h"

namespace linux_backend {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
}

/// Blocks every signal, so that none is lost between fork and the loop that passes them on; SIGCHLD
/// is made waitable.
void take_signals(Entry& entry) {
    sigset_t all;
    ::sigfillset(&all);
    // Stopping and continuing stay as the caller's shell expects them of us.
    for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) ::sigdelset(&all, signal);
    ::sigprocmask(SIG_SETMASK, &all, &entry.mask);
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &usual, &entry.child_action);
    ::sigaction(SIGPIPE, nullptr, &entry.pipe_action);
    ::sigaction(SIGXFSZ, nullptr, &entry.file_size_action);
}

}  // namespace

std::optional<core::Error> problem_of_proc() {
    core::Error error{"set up the sandbox", "/proc", 0, "",
                      "mount one for this PID namespace: mount -t proc proc /proc"};
    char self[16] = {};
    if (::readlink("/proc/self", self, sizeof self - 1) < 0) {
        error.code = errno;
    } else if (std::atoi(self) != ::getpid()) {
        error.detail = "it shows the processes of another PID namespace";
    } else {
        return std::nullopt;
    }
    return error;
}

core::Result<launch::Outcome> LinuxSandbox::run(const launch::Plan& plan) {
    if (auto problem = problem_of_proc()) return core::fail(std::move(*problem));
    const std::vector<char*> arguments = pointers(plan.arguments);
    const std::vector<char*> environment = pointers(plan.environment);

    SessionPlan session;
    session.plan = &plan;
    session.entry.path = plan.interpreter.c_str();
    session.entry.arguments = arguments.data();
    session.entry.environment = environment.data();
    session.entry.group = ::getpgrp();
    session.entry.drop_privileges = true;
    session.workspace_state = workspace_state(plan);
    session.inherited = inherited_objects();

    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return core::fail(
            core::Error{"set up the sandbox", "front", errno, "", too_few_descriptors});
    os::Fd broker(ends[0]);
    session.front.reset(ends[1]);
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return core::fail(
            core::Error{"set up the sandbox", "front", errno, "", too_few_descriptors});
    os::Fd witness(ends[0]);
    session.witness.reset(ends[1]);
    take_signals(session.entry);
    // What a killed keeper would leave behind comes to us.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const pid_t keeper = ::fork();
    if (keeper < 0) return core::fail(fork_error("the broker"));
    if (keeper > 0) keeper_ = keeper;
    if (keeper == 0) {
        broker.reset();
        witness.reset();
        run_keeper(std::move(session));
    }
    session.front.reset();
    session.witness.reset();
    os::set_title("sbxsh");
    const os::RealTree tree;
    auto floor = build_floor(plan.policy, tree, session.inherited.terminals);
    if (!floor) return core::fail(std::move(floor.error()));
    hand_over(plan, std::move(*floor), broker);
    release_descriptors(plan.keep, {broker.get(), witness.get()});
    auto outcome = wait_for_command(std::move(broker), std::move(witness));
    if (outcome && !outcome->all_ended) keeper_ = -1;
    return outcome;
}

void LinuxSandbox::settle() {
    if (keeper_ > 0) ::waitpid(std::exchange(keeper_, -1), nullptr, __WALL);
}

}  // namespace linux_backend
