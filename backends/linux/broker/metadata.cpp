// Mode, owner, times and length of files. Source: chmod(2), chown(2), utimensat(2), truncate(2).
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "linux/broker/call.h"
#include "linux/broker/change.h"
#include "linux/broker/handlers.h"

namespace linux_backend {
namespace {

// --- Mode ---

Answer change_mode(const Call& call, const OrErrno<Named>& named, std::uint64_t mode) {
    if (!named) return Answer::error(named.error());
    const auto perform = [mode](const Target& object) -> long {
        // The kernel answers so for the mode of a link, but not on each file system when asked
        // through a descriptor.
        if (S_ISLNK(object.status.st_mode)) {
            errno = EOPNOTSUPP;
            return -1;
        }
        return ::chmod(descriptor_link(object.object).c_str(), static_cast<mode_t>(mode));
    };
    return change_metadata(call, *named, {"change the mode of", perform, Change::Weight::light});
}

// --- Owner ---

Answer change_owner(const Call& call, const OrErrno<Named>& named, std::uint64_t user,
                    std::uint64_t group) {
    if (!named) return Answer::error(named.error());
    const auto perform = [user, group](const Target& object) -> long {
        return ::fchownat(object.object.get(), "", static_cast<uid_t>(user),
                          static_cast<gid_t>(group), AT_EMPTY_PATH);
    };
    const auto idle = [user, group](const struct stat& status) {
        constexpr auto keep_user = static_cast<uid_t>(-1);
        constexpr auto keep_group = static_cast<gid_t>(-1);
        const auto to_user = static_cast<uid_t>(user);
        const auto to_group = static_cast<gid_t>(group);
        return (to_user == keep_user || to_user == status.st_uid) &&
               (to_group == keep_group || to_group == status.st_gid);
    };
    return change_metadata(call, *named,
                           {"change the owner of", perform, Change::Weight::full, idle});
}

// --- Times ---

/// Access and modification time; nothing means now.
using Times = std::optional<std::array<timespec, 2>>;

Answer set_times(const Call& call, const OrErrno<Named>& named, const Times& times) {
    if (!named) return Answer::error(named.error());
    const auto perform = [times](const Target& object) -> long {
        // The wrapper refuses what the kernel takes.
        return ::syscall(SYS_utimensat, object.object.get(), "", times ? times->data() : nullptr,
                         AT_EMPTY_PATH);
    };
    return change_metadata(
        call, *named,
        {"set the times of", perform, Change::Weight::light, {}, Change::Devices::allow});
}

/// The two timevals at argument `index`.
OrErrno<Times> timeval_argument(const Call& call, int index) {
    if (call.argument(index) == 0) return Times();
    const auto given = call.caller().read_object<std::array<timeval, 2>>(call.argument(index));
    if (!given) return failed(given.error());
    std::array<timespec, 2> times;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const timeval& time = (*given)[i];
        if (time.tv_usec < 0 || time.tv_usec >= 1'000'000) return failed(EINVAL);
        times[i] = {time.tv_sec, time.tv_usec * 1000};
    }
    return Times(times);
}

OrErrno<Named> named_by_path_or_descriptor(const Call& call, int descriptor, int path_index) {
    if (call.argument(path_index) == 0 && descriptor != AT_FDCWD)
        return named_by_descriptor(descriptor);
    return named_by_path(call, descriptor, path_index);
}

// --- Length ---

/// The soft limit on the size of files of a process. By its file in /proc, which tells of every
/// process; prlimit(2) needs a right over one that has changed its ids.
rlim_t file_size_limit(pid_t process) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/limits", process);
    const os::Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
    char text[2048];
    const ssize_t size = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
    if (size <= 0) return RLIM_INFINITY;
    text[size] = '\0';
    constexpr const char* name = "Max file size";
    const char* line = std::strstr(text, name);
    unsigned long long limit = 0;
    if (line == nullptr || std::sscanf(line + std::strlen(name), "%llu", &limit) != 1)
        return RLIM_INFINITY;
    return limit;
}

/// Whether the caller's RLIMIT_FSIZE forbids the length; then it has been sent SIGXFSZ. Who may not
/// write to the file learns that first.
bool exceeds_limit(const Call& call, const Target& object, off_t length) {
    if (length <= object.status.st_size || !S_ISREG(object.status.st_mode)) return false;
    const rlim_t limit = file_size_limit(call.caller().process());
    if (limit == RLIM_INFINITY || static_cast<rlim_t>(length) <= limit) return false;
    if (::faccessat(AT_FDCWD, descriptor_link(object.object).c_str(), W_OK, AT_EACCESS) != 0)
        return false;
    call.own_identity();
    ::syscall(SYS_tgkill, call.caller().process(), call.caller().thread(), SIGXFSZ);
    return true;
}

}  // namespace

Answer serve_chmod(const Call& call) {
    return change_mode(call, named_by_path(call, AT_FDCWD, 0), call.argument(1));
}

Answer serve_fchmod(const Call& call) {
    return change_mode(call, named_by_descriptor(call.int_argument(0)), call.argument(1));
}

Answer serve_fchmodat(const Call& call) {
    return change_mode(call, named_by_path(call, call.int_argument(0), 1), call.argument(2));
}

Answer serve_fchmodat2(const Call& call) {
    return change_mode(call, named_by_path(call, call.int_argument(0), 1, call.int_argument(3)),
                       call.argument(2));
}

Answer serve_chown(const Call& call) {
    return change_owner(call, named_by_path(call, AT_FDCWD, 0), call.argument(1), call.argument(2));
}

Answer serve_lchown(const Call& call) {
    return change_owner(call, named_by_path(call, AT_FDCWD, 0, AT_SYMLINK_NOFOLLOW),
                        call.argument(1), call.argument(2));
}

Answer serve_fchown(const Call& call) {
    return change_owner(call, named_by_descriptor(call.int_argument(0)), call.argument(1),
                        call.argument(2));
}

Answer serve_fchownat(const Call& call) {
    return change_owner(call, named_by_path(call, call.int_argument(0), 1, call.int_argument(4)),
                        call.argument(2), call.argument(3));
}

Answer serve_utime(const Call& call) {
    Times times;
    if (call.argument(1) != 0) {
        const auto given = call.caller().read_object<utimbuf>(call.argument(1));
        if (!given) return Answer::error(given.error());
        times = std::array<timespec, 2>{timespec{given->actime, 0}, timespec{given->modtime, 0}};
    }
    return set_times(call, named_by_path(call, AT_FDCWD, 0), times);
}

Answer serve_utimes(const Call& call) {
    const auto times = timeval_argument(call, 1);
    if (!times) return Answer::error(times.error());
    return set_times(call, named_by_path(call, AT_FDCWD, 0), *times);
}

Answer serve_futimesat(const Call& call) {
    const auto times = timeval_argument(call, 2);
    if (!times) return Answer::error(times.error());
    return set_times(call, named_by_path_or_descriptor(call, call.int_argument(0), 1), *times);
}

Answer serve_utimensat(const Call& call) {
    Times times;
    if (call.argument(2) != 0) {
        const auto given = call.caller().read_object<std::array<timespec, 2>>(call.argument(2));
        if (!given) return Answer::error(given.error());
        // Nothing to do, whatever the path is.
        if ((*given)[0].tv_nsec == UTIME_OMIT && (*given)[1].tv_nsec == UTIME_OMIT)
            return Answer::value(0);
        times = *given;
    }
    const int directory = call.int_argument(0);
    const int flags = call.int_argument(3);
    if (call.argument(1) == 0 && directory != AT_FDCWD) {
        if (flags != 0) return Answer::error(EINVAL);
        return set_times(call, named_by_descriptor(directory), times);
    }
    return set_times(call, named_by_path(call, directory, 1, flags), times);
}

Answer serve_truncate(const Call& call) {
    const auto length = static_cast<off_t>(call.argument(1));
    if (length < 0) return Answer::error(EINVAL);
    const auto named = named_by_path(call, AT_FDCWD, 0);
    if (!named) return Answer::error(named.error());
    const auto perform = [&call, length](const Target& object) -> long {
        if (exceeds_limit(call, object, length)) {
            errno = EFBIG;
            return -1;
        }
        return ::truncate(descriptor_link(object.object).c_str(), length);
    };
    return change_metadata(call, *named,
                           {"truncate", perform, Change::Weight::full, {}, Change::Devices::allow});
}

}  // namespace linux_backend
