// Opening files on behalf: open, openat, openat2, creat.
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/git_gate.h"
#include "linux/broker/handlers.h"
#include "linux/broker/open_request.h"
#include "linux/broker/resolve.h"
#include "linux/floor.h"

namespace linux_backend {

Answer install(const OpenRequest& request, int fd) {
    if (fd < 0) return Answer::error(errno);
    return Answer::descriptor(os::Fd(fd), request.has(O_CLOEXEC));
}

Answer reopen(const OpenRequest& request, const os::Fd& object) {
    return install(request, ::open(descriptor_link(object).c_str(), request.reopen_flags()));
}

bool may_proceed(const Call& call) {
    constexpr int truncation_known = 3;
    static const bool refuses_truncation = probe_landlock().abi >= truncation_known;
    return !call.broker().observes_reads() && refuses_truncation;
}

namespace {

constexpr int link_limit = 40;  // path_resolution(7)

Answer refuse_write(const Call& call, const policy::Decision& decision, const std::string& path,
                    const char* operation) {
    return call.refuse(decision, Attempt{policy::Access::write, operation, path, {"--write", path}},
                       EACCES);
}

/// Whether what is written to the file decides, once it is complete.
bool decides_by_content(const policy::Decision& decision) {
    return !decision.allowed() && decision.rule->inspection == policy::Inspection::git_pointer;
}

std::optional<Answer> refused_read(const Call& call, const Target& target) {
    const policy::Decision decision = call.broker().policy().decide(
        policy::Access::read, target.path, target.id(), call.broker().tree());
    if (decision.allowed() || call.broker().terminals().pass(decision, target.object))
        return std::nullopt;
    const char* const verb = S_ISDIR(target.status.st_mode) ? "list" : "read";
    return call.refuse(decision,
                       Attempt{policy::Access::read, verb, target.path, {"--read", target.path}},
                       EACCES);
}

/// A kernel setting that root alone may read; 0 where it cannot be read.
int protection(const Call& call, const char* path) {
    call.own_identity();
    const os::Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
    char digit = '0';
    const bool is_read = fd && ::read(fd.get(), &digit, 1) == 1;
    return call.assume_identity() && is_read ? digit - '0' : 0;
}

/// Whether the kernel would refuse O_CREAT for what somebody else has put into a sticky directory;
/// see fs.protected_regular in proc_sys_fs(5). An object is opened by its descriptor, where it does
/// not look.
bool is_planted(const Call& call, const OpenRequest& request, const Target& target) {
    static const int protects_regular = protection(call, "/proc/sys/fs/protected_regular");
    static const int protects_fifos = protection(call, "/proc/sys/fs/protected_fifos");
    if (!request.has(O_CREAT) || target.where != Target::Where::tree) return false;
    const mode_t type = target.status.st_mode & S_IFMT;
    const int level = type == S_IFREG ? protects_regular : type == S_IFIFO ? protects_fifos : 1;
    struct stat above;
    const std::string directory = target.path.substr(0, target.path.rfind('/') + 1);
    if (level == 0 || ::stat(directory.c_str(), &above) != 0 || (above.st_mode & S_ISVTX) == 0)
        return false;
    const uid_t owner = target.status.st_uid;
    if (owner == above.st_uid || owner == static_cast<uid_t>(::syscall(SYS_setfsuid, -1)))
        return false;
    const bool levels = type == S_IFREG || type == S_IFIFO;
    return (above.st_mode & S_IWOTH) != 0 ||
           ((above.st_mode & S_IWGRP) != 0 && levels && level >= 2);
}

/// Opens what stands there already.
Answer open_existing(const Call& call, const OpenRequest& request, Target target) {
    if (S_ISLNK(target.status.st_mode))
        return Answer::error(request.has(O_DIRECTORY) ? ENOTDIR : ELOOP);
    if (target.where == Target::Where::anonymous) {
        // SAFETY: pipes, sockets, memfds reached through the caller's own descriptor links. The
        // floor grants nothing in any file tree for writing, so a swapped path gains nothing.
        if (may_proceed(call)) return Answer::proceed();
        if (S_ISFIFO(target.status.st_mode))
            return open_waiting(call, request, std::move(target.object), target.status.st_mode);
        return reopen(request, target.object);
    }
    if (request.has(O_DIRECTORY) && !S_ISDIR(target.status.st_mode)) return Answer::error(ENOTDIR);
    if (S_ISDIR(target.status.st_mode) && (request.writes() || request.has(O_CREAT)))
        return Answer::error(EISDIR);
    if (is_planted(call, request, target)) return Answer::error(EACCES);
    if (target.where == Target::Where::process) return open_in_proc(call, request, target);

    std::optional<policy::Decision> inspected;
    if (request.writes() && !call.broker().start().is_inherited(target.id())) {
        const bool regular = S_ISREG(target.status.st_mode);
        auto decision = call.broker().policy().decide(policy::Access::write, target.path,
                                                      target.id(), call.broker().tree());
        if (regular && decides_by_content(decision)) {
            inspected = std::move(decision);
        } else if (!decision.allowed() &&
                   !call.broker().terminals().pass(decision, target.object)) {
            return refuse_write(call, decision, target.path, "write to");
        }
    }
    if (request.reads()) {
        if (auto refusal = refused_read(call, target)) return std::move(*refusal);
    }
    if (inspected) return git_gate::open_pointer(call, target.path, request.flags, 0, *inspected);
    // A whiteout opens nothing.
    if (S_ISCHR(target.status.st_mode) && target.status.st_rdev != 0)
        return open_device(call, request, std::move(target));
    if (S_ISFIFO(target.status.st_mode))
        return open_waiting(call, request, std::move(target.object), target.status.st_mode);
    return reopen(request, target.object);
}

/// How Broker::names() is held: see git_gate::may_complete.
enum class Held : std::uint8_t { shared, alone };

Answer create(const Call& call, const OpenRequest& request, Place& place) {
    const auto decision =
        call.broker().policy().decide(policy::Access::write, place.path, {}, call.broker().tree());
    if (!decision.allowed() && !decides_by_content(decision))
        return refuse_write(call, decision, place.path, "create");
    if (auto refusal = git_gate::refuse_completion(call, place.path, policy::Tree::Kind::file))
        return std::move(*refusal);
    if (!decision.allowed())
        return git_gate::open_pointer(call, place.path, request.flags,
                                      static_cast<mode_t>(request.mode), decision);
    const auto flags = static_cast<int>(request.flags | O_EXCL | O_CLOEXEC);
    const int fd =
        ::openat(place.parent.get(), place.name.c_str(), flags, static_cast<mode_t>(request.mode));
    Answer answer = install(request, fd);
    if (fd >= 0) {
        // Natively the kernel finds a free descriptor number before it creates the file.
        auto parent = std::make_shared<os::Fd>(std::move(place.parent));
        answer.undo = [parent, name = place.name] { ::unlinkat(parent->get(), name.c_str(), 0); };
    }
    return answer;
}

/// Goes on from a symbolic link at the end of the path of an open that may create: to the answer,
/// or to where the link leads when nothing is there.
std::optional<Answer> follow_final_link(const Call& call, OpenRequest& request,
                                        OrErrno<Place>& place) {
    if ((request.resolve & RESOLVE_NO_SYMLINKS) != 0) return Answer::error(ELOOP);
    if (request.has(O_NOFOLLOW)) {
        const auto link = object_at(call, *place);
        return Answer::error(link && is_planted(call, request, *link) ? EACCES : ELOOP);
    }
    if (!request.is_loop) {
        auto target = resolve_object(call, request.directory, request.path, FinalLink::follow,
                                     request.resolve);
        if (target) return open_existing(call, request, std::move(*target));
        // A text that ends in a slash is EISDIR, whatever it leads to, even back to here.
        request.is_loop = target.error() == ELOOP;
        if (is_in_proc(call, *place)) return Answer::error(target.error());
    }
    if (request.resolve == 0) {
        place = follow_link(call, *place);
        return std::nullopt;
    }
    auto path = path_through_link(*place, request.path);
    if (!path) return Answer::error(path.error());
    request.path = std::move(*path);
    place = resolve_place(call, request.directory, request.path, request.resolve);
    return std::nullopt;
}

/// An open that may create, of a path that ends in "." or "..", or in a slash.
Answer open_no_name(const Call& call, const OpenRequest& request, const Place& place) {
    if (!place.special()) return Answer::error(EISDIR);
    const auto target =
        resolve_object(call, request.directory, request.path, FinalLink::follow, request.resolve);
    if (!target) return Answer::error(target.error());
    return Answer::error(request.has(O_EXCL) ? EEXIST : EISDIR);
}

/// Nothing when the names have to be held alone for it.
std::optional<Answer> open_or_create(const Call& call, OpenRequest request, Held held) {
    auto place = resolve_place(call, request.directory, request.path, request.resolve);
    for (int turn = 0; turn <= link_limit; ++turn) {
        if (!place) return Answer::error(place.error());
        if (place->special() || place->name.back() == '/')
            return open_no_name(call, request, *place);
        if (request.is_loop && !(place->exists && S_ISLNK(place->status.st_mode)))
            return Answer::error(ELOOP);
        if (place->is_too_long) return Answer::error(ENAMETOOLONG);
        if (!place->exists) {
            if (held == Held::shared && git_gate::may_complete(place->path)) return std::nullopt;
            Answer answer = create(call, request, *place);
            const bool raced = answer.kind == Answer::Kind::error &&
                               answer.error_number == EEXIST && !request.has(O_EXCL);
            if (!raced) return answer;
            place = look_again(call, std::move(*place));
            continue;
        }
        if (request.has(O_EXCL)) return Answer::error(EEXIST);
        if (!S_ISLNK(place->status.st_mode)) {
            auto target = object_at(call, *place);
            if (target) return open_existing(call, request, std::move(*target));
            if (target.error() != ENOENT) return Answer::error(target.error());
            place = look_again(call, std::move(*place));
            continue;
        }
        if (auto answer = follow_final_link(call, request, place)) return answer;
    }
    return Answer::error(ELOOP);
}

Answer open_temporary(const Call& call, const OpenRequest& request) {
    const FinalLink link = request.has(O_NOFOLLOW) ? FinalLink::keep : FinalLink::follow;
    auto target = resolve_object(call, request.directory, request.path, link, request.resolve);
    if (!target) return Answer::error(target.error());
    if (!S_ISDIR(target->status.st_mode)) return Answer::error(ENOTDIR);
    // A file without a name is asked for like a name in that directory.
    if (auto refusal =
            call.refused(policy::Access::write, target->path + "/#temporary", {}, "create"))
        return std::move(*refusal);
    const auto flags = static_cast<int>(request.flags | O_CLOEXEC);
    return install(request,
                   ::openat(target->object.get(), ".", flags, static_cast<mode_t>(request.mode)));
}

/// A descriptor that gives neither content nor a way to change it, by openat2: its flags lie in
/// memory, where they could be changed before the kernel reads them again.
Answer open_path_only(const Call& call) {
    // The kernel installs no such descriptor for us; the caller has to fall back to openat.
    if (!may_proceed(call)) return Answer::error(ENOSYS);
    // SAFETY: the floor grants no writing and, as reads are not observed, refuses all reading that
    // is refused.
    return Answer::proceed();
}

Answer serve(const Call& call, const OpenRequest& request) {
    if (request.path.empty()) return Answer::error(ENOENT);
    if (!call.valid()) return Answer::error(EINTR);
    std::shared_lock shared(call.broker().names());
    if (request.has(O_TMPFILE)) return open_temporary(call, request);
    if (request.has(O_CREAT)) {
        if (auto answer = open_or_create(call, request, Held::shared)) return std::move(*answer);
        shared.unlock();
        const std::unique_lock alone(call.broker().names());
        return std::move(*open_or_create(call, request, Held::alone));
    }
    const FinalLink link = request.has(O_NOFOLLOW) ? FinalLink::keep : FinalLink::follow;
    auto target = resolve_object(call, request.directory, request.path, link, request.resolve);
    if (!target) return Answer::error(target.error());
    return open_existing(call, request, std::move(*target));
}

/// Flags that are never an error by themselves, with each other.
constexpr std::uint64_t harmless_flags = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND |
                                         O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;

/// The kernel's opinion of flags, which it has before it looks at the path; which ones it takes
/// differs between versions. An empty path is ENOENT to it.
std::optional<Answer> refuse_flags(open_how how) {
    ::syscall(SYS_openat2, AT_FDCWD, "", &how, sizeof how);
    return errno == ENOENT ? std::nullopt : std::optional(Answer::error(errno));
}

/// The same for open(2) and openat(2), which take flags that do not exist.
std::optional<Answer> refuse_flags(std::uint64_t flags) {
    if ((flags & ~harmless_flags) == 0) return std::nullopt;
    ::syscall(SYS_openat, AT_FDCWD, "", static_cast<int>(flags), 0);
    return errno == ENOENT ? std::nullopt : std::optional(Answer::error(errno));
}

Answer serve_with(const Call& call, int directory, int path_index, std::uint64_t flags,
                  std::uint64_t mode) {
    if (auto refusal = refuse_flags(flags & 0xffffffff)) return std::move(*refusal);
    auto path = call.path_argument(path_index);
    if (!path) return Answer::error(path.error());
    return serve(
        call, OpenRequest{directory, std::move(*path), flags & 0xffffffff, mode & 07777, 0, false});
}

}  // namespace

Answer serve_open(const Call& call) {
    return serve_with(call, AT_FDCWD, 0, call.argument(1), call.argument(2));
}

Answer serve_openat(const Call& call) {
    return serve_with(call, call.int_argument(0), 1, call.argument(2), call.argument(3));
}

Answer serve_creat(const Call& call) {
    return serve_with(call, AT_FDCWD, 0, O_CREAT | O_WRONLY | O_TRUNC, call.argument(1));
}

Answer serve_openat2(const Call& call) {
    if (call.argument(3) != sizeof(open_how))
        return Answer::error(call.argument(3) < sizeof(open_how) ? EINVAL : E2BIG);
    const auto how = call.caller().read_object<open_how>(call.argument(2));
    if (!how) return Answer::error(how.error());
    if (auto refusal = refuse_flags(*how)) return std::move(*refusal);
    if ((how->flags & O_PATH) != 0) return open_path_only(call);
    auto path = call.path_argument(1);
    if (!path) return Answer::error(path.error());
    return serve(call, OpenRequest{call.int_argument(0), std::move(*path), how->flags, how->mode,
                                   how->resolve, false});
}

}  // namespace linux_backend
