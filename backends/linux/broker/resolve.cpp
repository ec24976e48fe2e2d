// The fast resolution: one openat2(2) by the kernel, then the name it arrived at.
#include "linux/broker/resolve.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/walk.h"

namespace linux_backend {
namespace {

int open_beneath(int base, const char* path, std::uint64_t flags, std::uint64_t resolve_flags) {
    open_how how = {};
    how.flags = O_PATH | O_CLOEXEC | flags;
    how.resolve = RESOLVE_NO_MAGICLINKS | resolve_flags;
    return static_cast<int>(::syscall(SYS_openat2, base, path, &how, sizeof how));
}

/// Whether walk() can keep to openat2's flags.
bool is_walkable(std::uint64_t resolve_flags) {
    constexpr std::uint64_t kept = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_CACHED;
    return (resolve_flags & ~kept) == 0;
}

OrErrno<os::Fd> base_of(const Call& call, int directory, const std::string& path,
                        std::uint64_t resolve_flags) {
    call.own_identity();
    if (path.front() == '/' && (resolve_flags & RESOLVE_IN_ROOT) == 0) return os::Fd();
    return directory == AT_FDCWD ? call.caller().working_directory()
                                 : call.caller().open_path(directory);
}

/// Whether the text alone makes it likely that the path leads through /proc, where "self" is the
/// caller.
bool leads_to_proc(std::string_view path) {
    return path.starts_with("/proc") || path.starts_with("/dev/fd") || path.starts_with("/dev/std");
}

OrErrno<Target> identify(const Call& call, os::Fd object) {
    Target target;
    if (::fstat(object.get(), &target.status) != 0) return failed(errno);
    target.path = descriptor_path(object.get());
    target.object = std::move(object);
    if (target.path.empty()) return failed(ENOENT);
    if (target.status.st_dev == call.broker().proc_device()) {
        target.where = Target::Where::process;
    } else if (target.path.front() != '/' ||
               (target.status.st_nlink == 0 && target.path.rfind("/memfd:", 0) == 0)) {
        target.where = Target::Where::anonymous;
    }
    constexpr std::string_view deleted = " (deleted)";
    if (target.status.st_nlink == 0 && target.path.size() > deleted.size() &&
        target.path.ends_with(deleted))
        target.path.resize(target.path.size() - deleted.size());
    return target;
}

/// The directory part and the last component (with its trailing slashes) of a path that is not
/// empty.
void split(const std::string& path, std::string& directory, std::string& name) {
    std::size_t end = path.size();
    while (end > 1 && path[end - 1] == '/') --end;
    const std::size_t slash = path.rfind('/', end - 1);
    if (slash == std::string::npos) {
        directory = ".";
        name = path;
    } else {
        directory = path.substr(0, slash + 1);
        name = path.substr(slash + 1);
    }
    if (name.empty() || name == "/") name = ".";
}

bool in_proc(const Call& call, const os::Fd& fd) {
    struct stat status;
    return ::fstat(fd.get(), &status) == 0 && status.st_dev == call.broker().proc_device();
}

/// Completes a place whose parent, its path, and name are known.
OrErrno<Place> finish(const Call& call, Place place, const std::string& parent_path) {
    if (parent_path.empty() || parent_path.front() != '/') return failed(ENOTDIR);
    const std::string bare = place.bare();
    place.path = parent_path == "/" ? parent_path + bare : parent_path + "/" + bare;
    const auto look = [&] {
        return ::fstatat(place.parent.get(), bare.c_str(), &place.status, AT_SYMLINK_NOFOLLOW) == 0;
    };
    place.exists = look();
    if (!place.exists && errno == EACCES && is_callers_own(call, place.parent)) {
        call.own_identity();
        place.exists = look();
        if (auto assumed = call.assume_identity(); !assumed) return failed(assumed.error());
        if (!place.exists) errno = ENOENT;
    }
    place.is_too_long = !place.exists && errno == ENAMETOOLONG;
    if (!place.exists && !place.is_too_long && errno != ENOENT) return failed(errno);
    return place;
}

OrErrno<Place> complete(const Call& call, Place place) {
    const std::string parent_path = descriptor_path(place.parent.get());
    return finish(call, std::move(place), parent_path);
}

OrErrno<std::string> link_text(const Place& place) {
    char text[PATH_MAX];
    const ssize_t size = ::readlinkat(place.parent.get(), place.bare().c_str(), text, sizeof text);
    if (size < 0) return failed(errno);
    if (size == 0) return failed(ENOENT);
    return std::string(text, static_cast<std::size_t>(size));
}

}  // namespace

std::string descriptor_link(const os::Fd& fd) {
    return "/proc/self/fd/" + std::to_string(fd.get());
}

std::string descriptor_path(int fd) {
    char link[48];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    char text[PATH_MAX + 16];
    const ssize_t size = ::readlink(link, text, sizeof text);
    return size < 0 ? std::string() : std::string(text, static_cast<std::size_t>(size));
}

bool Place::special() const {
    return bare().empty() || bare() == "." || bare() == "..";
}

int refusal_of_openat2() {
    // A size that is too small is refused by the call itself.
    ::syscall(SYS_openat2, AT_FDCWD, "/", nullptr, 0);
    return errno == EINVAL ? 0 : errno;
}

OrErrno<Target> resolve_object(const Call& call, int directory, const std::string& path,
                               FinalLink final_link, std::uint64_t resolve_flags) {
    if (path.empty()) return failed(ENOENT);
    auto base = base_of(call, directory, path, resolve_flags);
    if (!base) return failed(base.error());
    if (auto assumed = call.assume_identity(); !assumed) return failed(assumed.error());
    const std::uint64_t flags = final_link == FinalLink::keep ? O_NOFOLLOW : 0;
    if (!leads_to_proc(path) || resolve_flags != 0) {
        os::Fd object(
            open_beneath(*base ? base->get() : AT_FDCWD, path.c_str(), flags, resolve_flags));
        const int error = errno;
        const bool found = static_cast<bool>(object);
        if (found) {
            auto target = identify(call, std::move(object));
            if (!target || target->where != Target::Where::process) return target;
        }
        // ELOOP may be a descriptor link; ENOENT may be a link into /proc that means another
        // process for us.
        if (!found && error != ELOOP && error != ENOENT) return failed(error);
        if (!is_walkable(resolve_flags)) return failed(found ? EACCES : error);
    }
    auto object = walk(call, std::move(*base), path, {final_link, resolve_flags});
    if (!object) return failed(object.error());
    return identify(call, std::move(*object));
}

OrErrno<Target> resolve_descriptor(const Call& call, int descriptor) {
    call.own_identity();
    auto object = descriptor == AT_FDCWD ? call.caller().working_directory()
                                         : call.caller().open_path(descriptor);
    if (!object) return failed(object.error());
    return identify(call, std::move(*object));
}

OrErrno<Place> resolve_place(const Call& call, int directory, const std::string& path,
                             std::uint64_t resolve_flags) {
    if (path.empty()) return failed(ENOENT);
    auto base = base_of(call, directory, path, resolve_flags);
    if (!base) return failed(base.error());
    if (auto assumed = call.assume_identity(); !assumed) return failed(assumed.error());
    Place place;
    std::string directory_part;
    split(path, directory_part, place.name);
    if (directory_part == "." && *base) {
        place.parent = std::move(*base);
        return complete(call, std::move(place));
    }
    if (!leads_to_proc(path) || resolve_flags != 0) {
        place.parent.reset(open_beneath(*base ? base->get() : AT_FDCWD, directory_part.c_str(),
                                        O_DIRECTORY, resolve_flags));
        const int error = errno;
        if (place.parent) {
            std::string parent_path = descriptor_path(place.parent.get());
            if (!leads_to_proc(parent_path) || !in_proc(call, place.parent))
                return finish(call, std::move(place), parent_path);
        }
        if (!place.parent && error != ELOOP && error != ENOENT) return failed(error);
        if (!is_walkable(resolve_flags)) return failed(place.parent ? EACCES : error);
    }
    auto parent = walk(call, std::move(*base), directory_part, {FinalLink::follow, resolve_flags});
    if (!parent) return failed(parent.error());
    place.parent = std::move(*parent);
    return complete(call, std::move(place));
}

OrErrno<Target> object_at(const Call& call, const Place& place) {
    os::Fd object(
        ::openat(place.parent.get(), place.bare().c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!object) return failed(errno);
    return identify(call, std::move(object));
}

OrErrno<Place> follow_link(const Call& call, const Place& place) {
    const auto text = link_text(place);
    if (!text) return failed(text.error());
    os::Fd base(::fcntl(place.parent.get(), F_DUPFD_CLOEXEC, 0));
    if (!base) return failed(errno);
    Place next;
    auto parent = walk(call, std::move(base), *text, {.parent_name = &next.name});
    if (!parent) return failed(parent.error());
    next.parent = std::move(*parent);
    return complete(call, std::move(next));
}

OrErrno<std::string> path_through_link(const Place& place, const std::string& path) {
    auto text = link_text(place);
    if (!text || text->front() == '/') return text;
    std::string directory;
    std::string name;
    split(path, directory, name);
    return (directory.ends_with('/') ? directory : directory + '/') + *text;
}

bool is_in_proc(const Call& call, const Place& place) {
    return in_proc(call, place.parent);
}

OrErrno<Place> look_again(const Call& call, Place place) {
    return complete(call, std::move(place));
}

}  // namespace linux_backend
