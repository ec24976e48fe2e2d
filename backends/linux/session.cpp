// The broker process.
#include "linux/session.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "linux/broker/resolve.h"
#include "linux/capabilities.h"
#include "linux/channel.h"
#include "linux/descendants.h"
#include "linux/descriptor_passing.h"
#include "linux/keeper.h"
#include "linux/spares.h"
#include "linux/syscall_filter.h"
#include "os/title.h"
#include "os/tree.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

/// The kernel, or a filter around us, keeps the broker from something that it cannot do without.
core::Error lacking(const char* what, int error_number) {
    return core::Error{"set up the sandbox", what, error_number, "", "see: sbxctl doctor"};
}

/// What a failed step of the child means for a reader.
core::Error step_error(const ChildNews& news, const std::string& interpreter) {
    using Stage = ChildNews::Stage;
    core::Error error{"set up the sandbox", "", news.value, "", ""};
    switch (news.stage) {
        case Stage::group:
            error.object = "process group";
            break;
        case Stage::no_new_privileges:
            error.object = "no_new_privs";
            break;
        case Stage::capabilities:
            error.object = "capabilities";
            break;
        case Stage::floor:
            error.object = "Landlock";
            error.remedy = news.value == E2BIG ? "too many sandboxes are nested here; start fewer"
                                               : "see: sbxctl doctor";
            break;
        case Stage::filter:
            error.object = "seccomp notifications";
            error.remedy = news.value == EBUSY ? "another sandbox around this one already watches "
                                                 "system calls (only one can); "
                                                 "start sbxsh outside of it"
                                               : "see: sbxctl doctor";
            break;
        case Stage::execute:
            error = core::Error{"run", interpreter, news.value, "",
                                "choose another shell: --sbx-interpreter PATH"};
            break;
        case Stage::listener:
            break;
    }
    return error;
}

/// The broker works within its own limits, not those that the caller set for the command.
void lift_limits() {
    for (const auto resource : {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CPU, RLIMIT_AS, RLIMIT_DATA}) {
        rlimit limit;
        if (::getrlimit(resource, &limit) != 0) continue;
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(resource, &limit);
    }
}

mode_t current_umask() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mask;
}

/// What the front says of the floor, beside the ruleset itself.
struct FloorNews {
    policy::ReadMode read_mode;
    LandlockFeatures features;
    unsigned spares;
};

class Session {
  public:
    explicit Session(SessionPlan plan) : plan_(std::move(plan)) {}

    [[noreturn]] void run() {
        reserve();
        start_command(plan_.plan->policy.read_mode());
        // While the child puts the filter in force and the front builds the floor:
        describe_start();
        const os::Fd ruleset = take_floor();
        if (floor_.read_mode != filter_mode_) {
            end_child();
            start_command(floor_.read_mode);
        }
        detach_from_caller(ruleset.get());
        broker_ = std::make_unique<Broker>(*plan_.plan, tree_, start_, plan_.workspace_state,
                                           plan_.plan->on_denial);
        broker_->terminals().inherit(std::move(plan_.inherited.terminals));
        serve(take_listener());
        // From here on: each call of the child that the filter notifies is answered.
        if (!let_command_go(ruleset)) fail_start();
        announce();
        watch();
    }

  private:
    /// Sets aside what kill_descendants needs, so that it works when all other descriptors are used
    /// up.
    void reserve() {
        for (os::Fd& fd : reserved_) fd.reset(::open("/proc/self", O_PATH | O_CLOEXEC));
        if (!reserved_.back()) refuse(core::system_error("set up the sandbox", "broker"));
    }

    /// Forks the child with a filter for the mode that is likely.
    void start_command(policy::ReadMode mode) {
        FilterOptions options;
        options.read_mode = filter_mode_ = mode;
        options.notify_execution =
            plan_.plan->policy.may_refuse_below(policy::Access::execute, "/");
        std::vector<sock_filter> program = build_filter(options);
        plan_.entry.filter = {static_cast<unsigned short>(program.size()), program.data()};
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            refuse(core::system_error("set up the sandbox", "broker"));
        child_.reset(ends[0]);
        plan_.entry.channel = ends[1];
        const pid_t pid = ::fork();
        if (pid < 0) refuse(fork_error(plan_.plan->interpreter));
        if (pid == 0) become_command(plan_.entry);
        ::close(ends[1]);
        start_.interpreter = pid;
    }

    void end_child() {
        ::kill(start_.interpreter, SIGKILL);
        ::waitpid(start_.interpreter, nullptr, __WALL);
    }

    void describe_start() {
        start_.umask = current_umask();
        struct stat status;
        if (::stat(plan_.plan->interpreter.c_str(), &status) == 0)
            start_.interpreter_file = {status.st_dev, status.st_ino};
        start_.interpreter_arguments = plan_.plan->arguments;
        start_.inherited_writable = plan_.inherited.writable;
    }

    os::Fd take_floor() {
        os::Fd ruleset(receive_descriptor(plan_.front.get(), &floor_, sizeof floor_));
        if (!ruleset) finish();  // The front has said why, or is gone.
        return ruleset;
    }

    os::Fd take_listener() {
        ChildNews news;
        if (::recv(child_.get(), &news, sizeof news, MSG_WAITALL) != sizeof news)
            refuse(core::Error{"set up the sandbox", "broker", 0, "the new process ended early",
                               "see: sbxctl doctor"});
        if (news.stage != ChildNews::Stage::listener)
            refuse(step_error(news, plan_.plan->interpreter));
        waits_killable_ = news.waits_killable;
        const os::Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, start_.interpreter, 0)));
        if (!pidfd) refuse(lacking("pidfd_open", errno));
        os::Fd listener(static_cast<int>(::syscall(SYS_pidfd_getfd, pidfd.get(), news.value, 0)));
        if (!listener) refuse(lacking("pidfd_getfd", errno));
        check_reach();
        // The two processors need not wake each other for each call; absent before Linux 6.6.
        ::ioctl(listener.get(), SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
        return listener;
    }

    /// Each call needs to look into its caller: better no command than one whose calls all fail.
    void check_reach() {
        static const char here = 'x';
        char there = 0;
        const iovec local{&there, 1};
        const iovec remote{const_cast<char*>(&here), 1};
        if (::process_vm_readv(start_.interpreter, &local, 1, &remote, 1, 0) != 1)
            refuse(lacking("process_vm_readv", errno));
        if (const int error = refusal_of_openat2(); error != 0) refuse(lacking("openat2", error));
    }

    void serve(os::Fd descriptor) {
        auto listener = std::make_unique<KernelListener>(std::move(descriptor));
        if (const int error = listener->refused_operation(); error != 0)
            refuse(lacking("seccomp notifications", error));
        broker_->attach(std::move(listener),
                        {floor_.features.scopes_signals(), Spares(*plan_.plan, floor_.spares),
                         floor_.read_mode == policy::ReadMode::observed, waits_killable_});
        try {
            std::thread([this] { broker_->serve(); }).detach();
        } catch (const std::system_error& error) {
            errno = error.code().value();
            refuse(fork_error("the broker's thread"));
        }
    }

    /// Keeps nothing of the caller's: no descriptor, no directory, no limit.
    void detach_from_caller(int ruleset) {
        const os::Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
        for (int fd = 0; fd <= 2; ++fd) ::dup2(null.get(), fd);
        std::vector<int> kept = {plan_.front.get(), child_.get(), ruleset};
        for (const os::Fd& terminal : plan_.inherited.terminals) kept.push_back(terminal.get());
        for (const os::Fd& fd : reserved_) kept.push_back(fd.get());
        close_all_but(std::move(kept));
        [[maybe_unused]] const int moved = ::chdir("/");
        lift_limits();
        struct sigaction ignore = {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, nullptr);
        ::sigaction(SIGXFSZ, &ignore, nullptr);
        drop_capabilities(Tracing::keep);
    }

    /// Makes this sandbox known to the later ones of its workspace.
    void announce() {
        if (plan_.workspace_state.empty()) return;
        ProcessStat stat;
        if (!read_process_stat(::getpid(), stat)) return;
        const std::string directory = plan_.workspace_state + "/brokers";
        ::mkdir(directory.c_str(), 0700);
        announcement_ =
            directory + "/" + std::to_string(::getpid()) + "-" + std::to_string(stat.start);
        const os::Fd made(::open(announcement_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    }

    /// Lets the child execute; false when it could not.
    bool let_command_go(const os::Fd& ruleset) {
        const char ready = 1;
        if (!send_descriptor(child_.get(), ruleset.get(), &ready, sizeof ready)) return false;
        const ssize_t size = ::recv(child_.get(), &execution_, sizeof execution_, MSG_WAITALL);
        if (size != 0) return false;
        child_.reset();
        const pid_t pid = start_.interpreter;
        send_frame(plan_.front, Message::started,
                   std::string(reinterpret_cast<const char*>(&pid), sizeof pid));
        return true;
    }

    [[noreturn]] void fail_start() { refuse(step_error(execution_, plan_.plan->interpreter)); }

    [[noreturn]] void refuse(core::Error error) {
        if (error.code == EMFILE) error.remedy = too_few_descriptors;
        send_frame(plan_.front, Message::refused, encode(error));
        finish();
    }

    [[noreturn]] void finish() {
        for (os::Fd& fd : reserved_) fd.reset();
        kill_descendants();
        if (broker_) broker_->pointers().settle_within(std::chrono::seconds(2));
        if (!announcement_.empty()) ::unlink(announcement_.c_str());
        ::_exit(0);
    }

    [[noreturn]] void watch() {
        sigset_t all;
        ::sigfillset(&all);
        const os::Fd signals(::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
        pollfd sources[2] = {{signals.get(), POLLIN, 0},
                             {plan_.front.get(), POLLIN | POLLRDHUP, 0}};
        reap();  // What ended before the signals were watched.
        for (;;) {
            if (::poll(sources, ended_ ? 1 : 2, -1) < 0 && errno != EINTR) finish();
            signalfd_siginfo info;
            while (::read(signals.get(), &info, sizeof info) == sizeof info)
                if (info.ssi_signo == keeper_gone || info.ssi_signo == SIGTERM) finish();
            reap();
            // The front says nothing; its end of the socket closes when it was killed.
            if (!ended_ && sources[1].revents != 0) finish();
        }
    }

    void reap() {
        for (;;) {
            siginfo_t info = {};
            if (::waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | __WALL) !=
                0) {
                if (errno == ECHILD) finish();
                return;
            }
            if (info.si_pid == 0) return;
            // What the interpreter itself wrote is to be part of its report.
            const bool last = info.si_pid == start_.interpreter;
            broker_->pointers().settle_within(std::chrono::milliseconds(last ? 200 : 0));
            if (last) interpreter_changed(info);
            const bool failed = info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED ||
                                (info.si_code == CLD_EXITED && info.si_status != 0);
            if (failed) broker_->denials().process_failed(info.si_pid);
        }
    }

    void interpreter_changed(const siginfo_t& info) {
        if (info.si_code == CLD_CONTINUED) return;
        if (info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED) {
            send_frame(plan_.front, Message::stopped,
                       std::string(reinterpret_cast<const char*>(&info.si_status), sizeof(int)));
            return;
        }
        launch::Outcome outcome;
        outcome.wait_status = info.si_code == CLD_EXITED   ? (info.si_status & 0xff) << 8
                              : info.si_code == CLD_DUMPED ? info.si_status | 0x80
                                                           : info.si_status;
        if (outcome.wait_status != 0) broker_->denials().process_failed(info.si_pid);
        outcome.denials = broker_->denials().all();
        outcome.dropped_denials = broker_->denials().dropped();
        siginfo_t more = {};
        outcome.all_ended =
            ::waitid(P_ALL, 0, &more, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 && errno == ECHILD;
        send_frame(plan_.front, Message::ended, encode(outcome));
        ended_ = true;
        plan_.front.reset();
    }

    SessionPlan plan_;
    Start start_;
    FloorNews floor_ = {};
    policy::ReadMode filter_mode_ = policy::ReadMode::fixed;
    bool waits_killable_ = false;
    os::RealTree tree_;
    os::Fd child_;
    std::array<os::Fd, 2> reserved_;
    ChildNews execution_ = {ChildNews::Stage::execute, 0};
    std::unique_ptr<Broker> broker_;
    std::string announcement_;
    bool ended_ = false;
};

}  // namespace

bool hand_over(const launch::Plan& plan, Floor floor, const os::Fd& socket) {
    const FloorNews news{floor.read_mode, floor.features, Spares::grant(plan, floor)};
    return send_descriptor(socket.get(), floor.ruleset.get(), &news, sizeof news);
}

void run_session(SessionPlan plan) {
    // A heap for each thread would cost more time and memory than the lock of a common one.
    ::mallopt(M_ARENA_MAX, 1);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    os::set_title("sbxsh-broker");
    // Never destroyed: its threads use it until the process ends.
    (new Session(std::move(plan)))->run();
}

}  // namespace linux_backend
