// Ending as the command did.
#include "front/ending.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace front {

void reserve_standard_descriptors() {
    for (int fd = 0; fd <= 2; ++fd) {
        if (::fcntl(fd, F_GETFD) >= 0) continue;
        // The lowest free number is `fd`, since those below are taken.
        [[maybe_unused]] const int placeholder = ::open("/", O_PATH | O_CLOEXEC);
    }
}

int end_like(int wait_status) {
    // Nothing is left to be flushed or freed.
    if (!WIFSIGNALED(wait_status)) ::_exit(WEXITSTATUS(wait_status));
    const int signal = WTERMSIG(wait_status);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    ::signal(signal, SIG_DFL);
    ::kill(::getpid(), signal);
    sigset_t only;
    ::sigemptyset(&only);
    ::sigaddset(&only, signal);
    ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
    return 128 + signal;  // A signal that does not kill us, such as one for PID 1.
}

}  // namespace front
