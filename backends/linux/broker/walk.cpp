// The slow walk.
#include "linux/broker/walk.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <deque>
#include <string_view>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"

namespace linux_backend {
namespace {

constexpr int link_limit = 40;  // path_resolution(7)

/// What is left to walk, and where we are.
struct State {
    os::Fd at;
    std::deque<std::string> rest;
    bool wants_directory = false;  ///< The path ended with a slash.
    int links = 0;
};

void prepend(State& state, std::string_view path) {
    std::deque<std::string> parts;
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        if (!part.empty() && part != ".") parts.emplace_back(part);
        path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    }
    state.rest.insert(state.rest.begin(), parts.begin(), parts.end());
}

/// The text of a procfs link as the caller would see it; empty when the link leads by itself
/// ("fd/3", "cwd").
std::string caller_link(const Call& call, const std::string& directory, const std::string& name) {
    if (directory != "/proc") return {};
    if (name == "self") return std::to_string(call.caller().process());
    if (name == "thread-self")
        return std::to_string(call.caller().process()) + "/task/" +
               std::to_string(call.caller().thread());
    return {};
}

/// Whether a link of /proc/<pid>/… belongs to a process inside, so that the caller may follow it.
bool own_process(const Call& call, const std::string& directory) {
    if (directory.rfind("/proc/", 0) != 0) return false;
    const pid_t pid = static_cast<pid_t>(std::atoi(directory.c_str() + 6));
    return pid > 0 && call.broker().members().of(pid) == Membership::inside;
}

/// Follows the symbolic link `name`, open as `link`, in the directory `state.at`.
OrErrno<void> follow(const Call& call, State& state, const os::Fd& link, const std::string& name) {
    if (++state.links > link_limit) return failed(ELOOP);
    struct stat directory_status;
    if (::fstat(state.at.get(), &directory_status) != 0) return failed(errno);
    if (directory_status.st_dev == call.broker().proc_device()) {
        const std::string directory = descriptor_path(state.at.get());
        if (const std::string text = caller_link(call, directory, name); !text.empty()) {
            prepend(state, text);
            return {};
        }
        if (directory != "/proc") {
            if (!own_process(call, directory)) return failed(EACCES);
            os::Fd object(::openat(state.at.get(), name.c_str(), O_PATH | O_CLOEXEC));
            if (!object) return failed(errno);
            state.at = std::move(object);
            return {};
        }
    }
    char text[PATH_MAX];
    const ssize_t size = ::readlinkat(link.get(), "", text, sizeof text);
    if (size < 0) return failed(errno);
    if (size == 0) return failed(ENOENT);
    const std::string_view target(text, static_cast<std::size_t>(size));
    if (target.front() == '/') {
        state.at.reset(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!state.at) return failed(errno);
    }
    prepend(state, target);
    return {};
}

}  // namespace

OrErrno<os::Fd> walk(const Call& call, os::Fd base, const std::string& path, FinalLink final_link,
                     std::string* parent_name) {
    State state{std::move(base), {}, !path.empty() && path.back() == '/'};
    if (path.front() == '/') state.at.reset(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!state.at) return failed(errno);
    prepend(state, path);
    while (!state.rest.empty()) {
        const bool last = state.rest.size() == 1;
        const std::string name = std::move(state.rest.front());
        state.rest.pop_front();
        if (last && parent_name != nullptr) {
            *parent_name = name + (state.wants_directory ? "/" : "");
            return std::move(state.at);
        }
        os::Fd next(::openat(state.at.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
        if (!next) return failed(errno);
        struct stat status;
        if (::fstat(next.get(), &status) != 0) return failed(errno);
        if (S_ISLNK(status.st_mode) &&
            (!last || final_link == FinalLink::follow || state.wants_directory)) {
            if (auto followed = follow(call, state, next, name); !followed)
                return failed(followed.error());
            continue;
        }
        if (!S_ISDIR(status.st_mode) && (!last || state.wants_directory)) return failed(ENOTDIR);
        state.at = std::move(next);
    }
    if (parent_name != nullptr) *parent_name = ".";
    return std::move(state.at);
}

}  // namespace linux_backend
