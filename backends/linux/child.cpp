// From fork to exec.
#include "linux/child.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "linux/capabilities.h"
#include "linux/descriptor_passing.h"
#include "linux/floor.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

void tell(const Entry& entry, const ChildNews& news) {
    [[maybe_unused]] const ssize_t written = ::write(entry.channel, &news, sizeof news);
}

[[noreturn]] void give_up(const Entry& entry, ChildNews::Stage stage, int error) {
    tell(entry, {stage, error, false});
    ::_exit(125);
}

int install_filter(const sock_fprog& program, unsigned flags) {
    return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                      SECCOMP_FILTER_FLAG_NEW_LISTENER | flags, &program));
}

}  // namespace

void become_command(const Entry& entry) {
    using Stage = ChildNews::Stage;
    // The command must not outlive the broker: without it each brokered call would fail.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (::setpgid(0, entry.group) != 0) give_up(entry, Stage::group, errno);
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        give_up(entry, Stage::no_new_privileges, errno);
    if (entry.drop_privileges)
        if (const int error = drop_capabilities(Tracing::drop); error != 0)
            give_up(entry, Stage::capabilities, error);
    // Takes longest, so it comes first: the floor is built meanwhile.
    ChildNews news{Stage::listener, -1, true};
    news.value = install_filter(entry.filter, SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
    if (news.value < 0 && errno == EINVAL)
        news = {Stage::listener, install_filter(entry.filter, 0), false};
    if (news.value < 0) give_up(entry, Stage::filter, errno);
    tell(entry, news);
    const int ruleset = receive_descriptor(entry.channel, nullptr, 0);
    if (ruleset < 0) ::_exit(125);
    if (const int error = enforce_floor(ruleset); error != 0) give_up(entry, Stage::floor, error);
    ::close(ruleset);
    ::sigaction(SIGCHLD, &entry.child_action, nullptr);
    ::sigaction(SIGPIPE, &entry.pipe_action, nullptr);
    ::sigaction(SIGXFSZ, &entry.file_size_action, nullptr);
    ::sigprocmask(SIG_SETMASK, &entry.mask, nullptr);
    ::execve(entry.path, entry.arguments, entry.environment);
    give_up(entry, Stage::execute, errno);
}

}  // namespace linux_backend
