// The front's part: prepare everything, start the keeper, wait for the end.
#include "linux/sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "linux/broker/caller.h"
#include "linux/broker/identity.h"
#include "linux/channel.h"
#include "linux/descendants.h"
#include "linux/floor.h"
#include "linux/front.h"
#include "linux/keeper.h"
#include "linux/state.h"
#include "linux/syscall_filter.h"
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

/// Regular files that the caller handed over open for writing.
std::vector<policy::FileId> writable_files() {
    std::vector<policy::FileId> files;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc/self/fd"), ::closedir);
    while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr) {
        const int fd = std::atoi(entry->d_name);
        const int flags = ::fcntl(fd, F_GETFL);
        struct stat status;
        if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || (flags & O_PATH) != 0) continue;
        if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
            files.push_back({status.st_dev, status.st_ino});
    }
    return files;
}

mode_t current_umask() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mask;
}

Start describe_start(const launch::Plan& plan, Floor& floor) {
    Start start;
    start.umask = current_umask();
    struct stat status;
    if (::stat(plan.interpreter.c_str(), &status) == 0)
        start.interpreter_file = {status.st_dev, status.st_ino};
    start.inherited_writable = writable_files();
    start.spares = Spares(plan, floor);
    start.observes_reads = floor.read_mode == policy::ReadMode::observed;
    start.floor_scopes_signals = floor.features.scopes_signals();
    return start;
}

FilterOptions filter_options(const launch::Plan& plan, const Floor& floor) {
    FilterOptions options;
    options.read_mode = floor.read_mode;
    options.notify_directories = floor.notify_directories;
    options.notify_execution = plan.policy.may_refuse_below(policy::Access::execute, "/");
    return options;
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

core::Result<launch::Outcome> LinuxSandbox::run(const launch::Plan& plan) {
    const os::RealTree tree;
    auto floor = build_floor(plan.policy, tree);
    if (!floor) return core::fail(std::move(floor.error()));
    std::vector<sock_filter> program = build_filter(filter_options(plan, *floor));
    const std::vector<char*> arguments = pointers(plan.arguments);
    const std::vector<char*> environment = pointers(plan.environment);

    SessionPlan session;
    session.plan = &plan;
    session.entry.path = plan.interpreter.c_str();
    session.entry.arguments = arguments.data();
    session.entry.environment = environment.data();
    session.entry.floor = &*floor;
    session.entry.filter = {static_cast<unsigned short>(program.size()), program.data()};
    session.entry.group = ::getpgrp();
    session.entry.drop_privileges = true;
    session.start = describe_start(plan, *floor);
    session.workspace_state = workspace_state(plan);

    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return core::fail(core::system_error("set up the sandbox", "front"));
    os::Fd broker(ends[0]);
    session.front.reset(ends[1]);
    take_signals(session.entry);
    // What a killed keeper would leave behind comes to us.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const pid_t keeper = ::fork();
    if (keeper < 0) return core::fail(core::system_error("start", plan.interpreter));
    if (keeper == 0) {
        broker.reset();
        run_keeper(std::move(session));
    }
    session.front.reset();
    os::set_title("sbxsh");
    floor->ruleset.reset();
    release_descriptors(plan.keep, broker.get());
    auto outcome = wait_for_command(std::move(broker));
    if (!outcome || outcome->all_ended) keeper_ = keeper;
    return outcome;
}

void LinuxSandbox::settle() {
    if (keeper_ > 0) ::waitpid(std::exchange(keeper_, -1), nullptr, __WALL);
}

}  // namespace linux_backend
