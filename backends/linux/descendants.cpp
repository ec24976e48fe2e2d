// A scan of /proc, repeated until nothing is left: what forks meanwhile is found by the next scan.
#include "linux/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace linux_backend {
namespace {

pid_t parent_of(pid_t pid) {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    char text[256];
    const ssize_t size = ::read(fd, text, sizeof text - 1);
    ::close(fd);
    if (size <= 0) return 0;
    text[size] = '\0';
    const char* end = std::strrchr(text, ')');  // The name may hold anything.
    int parent = 0;
    char state = 0;
    if (end == nullptr || std::sscanf(end + 1, " %c %d", &state, &parent) != 2) return 0;
    return parent;
}

bool descends_from(pid_t pid, pid_t ancestor) {
    for (int depth = 0; depth < 4096 && pid > 1; ++depth) {
        pid = parent_of(pid);
        if (pid == ancestor) return true;
    }
    return false;
}

void kill_once(pid_t self) {
    const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) return;
    alignas(dirent64) char buffer[8192];
    for (ssize_t size; (size = ::getdents64(proc, buffer, sizeof buffer)) > 0;) {
        for (ssize_t at = 0; at < size;) {
            const auto* entry = reinterpret_cast<const dirent64*>(buffer + at);
            at += entry->d_reclen;
            const pid_t pid = std::atoi(entry->d_name);
            if (pid > 1 && pid != self && descends_from(pid, self)) ::kill(pid, SIGKILL);
        }
    }
    ::close(proc);
}

}  // namespace

void kill_descendants() {
    const pid_t self = ::getpid();
    for (;;) {
        pid_t ended = 0;
        while ((ended = ::waitpid(-1, nullptr, WNOHANG | __WALL)) > 0) {
        }
        if (ended < 0 && errno == ECHILD) return;
        kill_once(self);
        constexpr timespec pause{0, 1'000'000};
        ::nanosleep(&pause, nullptr);
    }
}

}  // namespace linux_backend
