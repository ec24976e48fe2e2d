// The slow walk.
#include "linux/broker/walk.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <linux/openat2.h>
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
    std::uint64_t resolve_flags = 0;
    int links = 0;
};

/// A slash at the end asks for a directory; it is kept as an empty component.
enum class FinalSlash : std::uint8_t { kept, ignored };

void prepend(State& state, std::string_view path, FinalSlash final_slash) {
    std::deque<std::string> parts;
    const bool has_slash = !path.empty() && path.back() == '/';
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        if (!part.empty()) parts.emplace_back(part);
        path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    }
    if (has_slash && final_slash == FinalSlash::kept) parts.emplace_back();
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

/// openat with O_PATH and `flags`, with the rights that the caller would have.
OrErrno<os::Fd> look_up(const Call& call, const os::Fd& directory, const std::string& name,
                        int flags) {
    const bool own = call.broker().identity_varies.load(std::memory_order_relaxed) &&
                     is_callers_own(call, directory);
    if (own) call.own_identity();
    os::Fd found(::openat(directory.get(), name.c_str(), O_PATH | O_CLOEXEC | flags));
    const int error = errno;
    if (own)
        if (auto assumed = call.assume_identity(); !assumed) return failed(assumed.error());
    if (!found) return failed(error);
    return found;
}

/// Follows the symbolic link `name`, open as `link`, in the directory `state.at`.
OrErrno<void> follow(const Call& call, State& state, const os::Fd& link, const std::string& name) {
    if (++state.links > link_limit || (state.resolve_flags & RESOLVE_NO_SYMLINKS) != 0)
        return failed(ELOOP);
    struct stat directory_status;
    if (::fstat(state.at.get(), &directory_status) != 0) return failed(errno);
    if (directory_status.st_dev == call.broker().proc_device()) {
        const std::string directory = descriptor_path(state.at.get());
        if (const std::string text = caller_link(call, directory, name); !text.empty()) {
            prepend(state, text, FinalSlash::ignored);
            return {};
        }
        if (directory != "/proc") {
            if ((state.resolve_flags & RESOLVE_NO_MAGICLINKS) != 0) return failed(ELOOP);
            if (!own_process(call, directory)) return failed(EACCES);
            auto object = look_up(call, state.at, name, 0);
            if (!object) return failed(object.error());
            state.at = std::move(*object);
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
    prepend(state, target, FinalSlash::kept);
    return {};
}

}  // namespace

bool is_callers_own(const Call& call, const os::Fd& directory) {
    struct stat status;
    if (::fstat(directory.get(), &status) != 0 || status.st_dev != call.broker().proc_device())
        return false;
    const std::string path = descriptor_path(directory.get());
    const std::string own = "/proc/" + std::to_string(call.caller().process());
    return path == own || path.starts_with(own + "/");
}

OrErrno<os::Fd> walk(const Call& call, os::Fd base, const std::string& path,
                     const WalkOptions& options) {
    State state{std::move(base), {}, options.resolve_flags};
    std::string* const parent_name = options.parent_name;
    const bool ends_in_slash = !path.empty() && path.back() == '/';
    if (path.front() == '/') state.at.reset(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!state.at) return failed(errno);
    prepend(state, path, parent_name == nullptr ? FinalSlash::kept : FinalSlash::ignored);
    while (!state.rest.empty()) {
        const bool last = state.rest.size() == 1;
        const std::string name = std::move(state.rest.front());
        state.rest.pop_front();
        if (last && parent_name != nullptr) {
            *parent_name = name + (ends_in_slash ? "/" : "");
            return std::move(state.at);
        }
        if (name.empty()) {
            struct stat status;
            if (::fstat(state.at.get(), &status) != 0) return failed(errno);
            if (!S_ISDIR(status.st_mode)) return failed(ENOTDIR);
            continue;
        }
        auto next = look_up(call, state.at, name, O_NOFOLLOW);
        if (!next) return failed(next.error());
        struct stat status;
        if (::fstat(next->get(), &status) != 0) return failed(errno);
        if (S_ISLNK(status.st_mode) && (!last || options.final_link == FinalLink::follow)) {
            if (auto followed = follow(call, state, *next, name); !followed)
                return failed(followed.error());
            continue;
        }
        if (!S_ISDIR(status.st_mode) && !last) return failed(ENOTDIR);
        state.at = std::move(*next);
    }
    if (parent_name != nullptr) *parent_name = ".";
    return std::move(state.at);
}

}  // namespace linux_backend
