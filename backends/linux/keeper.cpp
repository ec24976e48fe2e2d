// The keeper process.
#include "linux/keeper.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "linux/channel.h"
#include "linux/descendants.h"
#include "linux/witness.h"
#include "os/title.h"

namespace linux_backend {

void close_all_but(std::initializer_list<int> kept) {
    std::array<int, 8> sorted;
    const std::size_t count = std::min(kept.size(), sorted.size());
    std::copy_n(kept.begin(), count, sorted.begin());
    std::sort(sorted.begin(), sorted.begin() + count);
    unsigned first = 3;
    for (std::size_t index = 0; index < count; ++index) {
        if (sorted[index] < static_cast<int>(first)) continue;
        const auto fd = static_cast<unsigned>(sorted[index]);
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

void run_keeper(SessionPlan plan) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    // Out of the caller's group: its signals are for the command.
    ::setpgid(0, 0);
    // A search for the command's text is to find the command, not us.
    os::set_title("sbxsh-keeper");
    const pid_t keeper = ::getpid();
    const pid_t broker = ::fork();
    if (broker == 0) {
        ::prctl(PR_SET_PDEATHSIG, keeper_gone, 0, 0, 0);
        if (::getppid() != keeper) ::_exit(125);
        plan.witness.reset();
        run_session(std::move(plan));
    }
    if (broker < 0) send_frame(plan.front, Message::refused, encode(fork_error("the broker")));
    if (broker > 0 && ::fork() == 0) {
        plan.front.reset();
        os::set_title("sbxsh-witness");
        run_witness(std::move(plan.witness), plan.entry.group);
    }
    os::close_range(0, ~0U);
    [[maybe_unused]] const int moved = ::chdir("/");
    int status = 0;
    for (pid_t ended = 0; broker > 0 && ended != broker;) {
        ended = ::waitpid(-1, &status, __WALL);
        if (ended < 0 && errno != EINTR) break;
    }
    kill_descendants();
    ::_exit(0);
}

}  // namespace linux_backend
