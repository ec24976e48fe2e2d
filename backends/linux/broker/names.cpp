// Serves the calls that make and remove names.
#include "linux/broker/names.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/device_node.h"
#include "linux/broker/git_gate.h"
#include "linux/broker/handlers.h"

namespace linux_backend {
namespace {

using policy::Access;
using Kind = policy::Tree::Kind;

/// A name that is to be made: where, and how a report calls it.
struct Making {
    int directory;
    int path_index;
    Kind kind;
    const char* operation;
};

using Perform = std::function<long(const Place&)>;

/// Whether a tool's cache would lie below `path`: an empty directory on the way to it does no harm.
bool leads_to_cache_root(const Broker& broker, const std::string& path) {
    const auto& roots = broker.cache_roots();
    return std::any_of(roots.begin(), roots.end(),
                       [&](const std::string& root) { return root.starts_with(path + "/"); });
}

std::optional<Answer> refuse_making(const Call& call, const Place& place, const Making& what) {
    const policy::Decision decision =
        call.broker().policy().decide(Access::write, place.path, place.id(), call.broker().tree());
    const bool passes =
        decision.allowed() ||
        (what.kind == Kind::directory && (git_gate::may_make_directory(decision, place.path) ||
                                          leads_to_cache_root(call.broker(), place.path)));
    if (!passes)
        return call.refuse(
            decision, Attempt{Access::write, what.operation, place.path, {"--write", place.path}},
            EACCES);
    return git_gate::refuse_completion(call, place.path, what.kind);
}

/// Everything after the place is resolved: the natural errors, the decision, the operation.
Answer make_at(const Call& call, const Place& place, const Making& what, const Perform& perform) {
    if (!call.valid()) return Answer::error(ESRCH);
    if (place.special()) return Answer::of(perform(place));
    if (place.is_too_long) return Answer::error(ENAMETOOLONG);
    if (place.exists) return Answer::error(EEXIST);
    if (what.kind != Kind::directory && place.name.back() == '/') return Answer::error(ENOENT);
    if (auto refusal = refuse_making(call, place, what)) return std::move(*refusal);
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    return Answer::of(perform(place));
}

Answer make_name(const Call& call, const Making& what, const Perform& perform) {
    const auto path = call.path_argument(what.path_index);
    if (!path) return Answer::error(path.error());
    const NamesHold hold(call.broker(), hold_to_make(*path));
    const auto place = resolve_place(call, what.directory, *path);
    if (!place) return Answer::error(place.error());
    return make_at(call, *place, what, perform);
}

/// Whether `path` is a tool's cache, which may have been absent when the floor was built.
bool is_cache_root(const Broker& broker, const std::string& path) {
    const auto& roots = broker.cache_roots();
    return !broker.identity_varies && std::find(roots.begin(), roots.end(), path) != roots.end();
}

Answer make_directory(const Call& call, int directory, int path_index) {
    const auto mode = static_cast<mode_t>(call.argument(path_index + 1));
    return make_name(call, Making{directory, path_index, Kind::directory, "create directory"},
                     [&call, mode](const Place& place) -> long {
                         if (is_cache_root(call.broker(), place.path) &&
                             call.broker().spares().put(place.parent.get(), place.bare(), mode))
                             return 0;
                         return ::mkdirat(place.parent.get(), place.name.c_str(), mode);
                     });
}

Answer make_symbolic_link(const Call& call, int directory, int path_index) {
    const auto target = call.path_argument(0);
    if (!target) return Answer::error(target.error());
    if (target->empty()) return Answer::error(ENOENT);
    return make_name(call, Making{directory, path_index, Kind::other, "create symbolic link"},
                     [&](const Place& place) {
                         return ::symlinkat(target->c_str(), place.parent.get(),
                                            place.name.c_str());
                     });
}

Answer refuse_device(const Call& call, int directory, int path_index) {
    const auto path = call.path_argument(path_index);
    if (!path) return Answer::error(path.error());
    const NamesHold hold(call.broker(), Hold::shared);
    const auto place = resolve_place(call, directory, *path);
    if (!place) return Answer::error(place.error());
    if (!call.valid()) return Answer::error(ESRCH);
    if (place->is_too_long) return Answer::error(ENAMETOOLONG);
    if (place->exists || place->special()) return Answer::error(EEXIST);
    if (place->name.back() == '/') return Answer::error(ENOENT);
    struct stat parent;
    const bool is_removed = ::fstat(place->parent.get(), &parent) == 0 && parent.st_nlink == 0;
    if (is_removed) return Answer::error(ENOENT);
    if (::faccessat(place->parent.get(), ".", W_OK | X_OK, AT_EACCESS) != 0)
        return Answer::error(errno);
    const policy::Decision decision = call.broker().policy().decide_outside(Access::kernel);
    return call.refuse(decision, Attempt{Access::kernel, "create device", place->path, {}}, EPERM);
}

Answer make_node(const Call& call, int directory, int path_index) {
    const auto mode = static_cast<mode_t>(call.argument(path_index + 1));
    const auto device =
        static_cast<dev_t>(static_cast<std::uint32_t>(call.argument(path_index + 2)));
    const mode_t type = mode & S_IFMT;
    // Before the path is looked at, as the kernel does.
    if (type == S_IFDIR) return Answer::error(EPERM);
    if (type == S_IFLNK || type == S_IFMT) return Answer::error(EINVAL);
    // A character device 0:0 is a whiteout of overlay file systems: it opens nothing.
    const bool whiteout = type == S_IFCHR && device == 0;
    if ((type == S_IFCHR && !whiteout) || type == S_IFBLK)
        return refuse_device(call, directory, path_index);
    const bool regular = type == 0 || type == S_IFREG;
    const char* operation = regular            ? "create"
                            : type == S_IFIFO  ? "create FIFO"
                            : type == S_IFSOCK ? "create socket"
                                               : "create device";
    const Making what{directory, path_index, regular ? Kind::file : Kind::other, operation};
    return make_name(call, what, [mode, device](const Place& place) {
        return ::mknodat(place.parent.get(), place.name.c_str(), mode, device);
    });
}

Answer remove_name(const Call& call, int directory, int path_index, int flags) {
    if ((flags & ~AT_REMOVEDIR) != 0) return Answer::error(EINVAL);
    const auto path = call.path_argument(path_index);
    if (!path) return Answer::error(path.error());
    const NamesHold hold(call.broker(), Hold::shared);
    const auto place = resolve_place(call, directory, *path);
    if (!place) return Answer::error(place.error());
    if (!call.valid()) return Answer::error(ESRCH);
    if (!place->special()) {
        if (!place->exists) return Answer::error(place->is_too_long ? ENAMETOOLONG : ENOENT);
        if (auto refusal = refuse_device_node(call, place->path, place->status, "remove"))
            return std::move(*refusal);
        const policy::Decision decision = call.broker().policy().decide(
            Access::write, place->path, place->id(), call.broker().tree());
        if (!decision.allowed() && !git_gate::may_remove(call, decision, place->path)) {
            const char* operation = flags == 0 ? "remove" : "remove directory";
            return call.refuse(
                decision, Attempt{Access::write, operation, place->path, {"--write", place->path}},
                EACCES);
        }
    }
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    return Answer::of(::unlinkat(place->parent.get(), place->name.c_str(), flags));
}

/// A hard link is another name for the same content: who may not write or read the source must not
/// get one that may.
std::optional<Answer> refuse_source(const Call& call, const Target& source) {
    if (source.where != Target::Where::tree) return std::nullopt;
    if (auto refusal = call.refused(Access::write, source.path, source.id(), "link from"))
        return refusal;
    return call.refused(Access::read, source.path, source.id(), "link from");
}

struct End {
    int directory;
    int path_index;
};

Answer make_link(const Call& call, End from, End to, int flags) {
    if ((flags & ~(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)) != 0) return Answer::error(EINVAL);
    const auto old_path = call.path_argument(from.path_index);
    const auto new_path = call.path_argument(to.path_index);
    if (!old_path) return Answer::error(old_path.error());

    const NamesHold hold(call.broker(), new_path ? hold_to_make(*new_path) : Hold::shared);
    const FinalLink final_link =
        (flags & AT_SYMLINK_FOLLOW) != 0 ? FinalLink::follow : FinalLink::keep;
    const bool by_descriptor = old_path->empty() && (flags & AT_EMPTY_PATH) != 0;
    const auto source = by_descriptor ? resolve_descriptor(call, from.directory)
                                      : resolve_object(call, from.directory, *old_path, final_link);
    if (!source) return Answer::error(source.error());
    if (!new_path) return Answer::error(new_path.error());
    const auto place = resolve_place(call, to.directory, *new_path);
    if (!place) return Answer::error(place.error());

    const Kind kind = S_ISREG(source->status.st_mode) ? Kind::file : Kind::other;
    // The kernel links no directory, so that it may say why.
    if (!place->special() && !place->exists && !S_ISDIR(source->status.st_mode)) {
        if (!call.valid()) return Answer::error(ESRCH);
        if (auto refusal = refuse_source(call, *source)) return std::move(*refusal);
    }
    // By the object that was decided on: the name may lead elsewhere by now.
    const std::string object = descriptor_link(source->object);
    return make_at(call, *place, Making{to.directory, to.path_index, kind, "link to"},
                   [&](const Place& at) {
                       return ::linkat(AT_FDCWD, object.c_str(), at.parent.get(), at.name.c_str(),
                                       AT_SYMLINK_FOLLOW);
                   });
}

}  // namespace

NamesHold::NamesHold(Broker& broker, Hold hold) : broker_(broker), hold_(hold) {
    if (hold_ == Hold::alone) {
        broker_.names().lock();
    } else {
        broker_.names().lock_shared();
    }
}

NamesHold::~NamesHold() {
    if (hold_ == Hold::alone) {
        broker_.names().unlock();
    } else {
        broker_.names().unlock_shared();
    }
}

std::string_view without_slashes(std::string_view path) {
    while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
    return path;
}

Hold hold_to_make(std::string_view path) {
    return git_gate::may_complete(without_slashes(path)) ? Hold::alone : Hold::shared;
}

Answer serve_mkdir(const Call& call) {
    return make_directory(call, AT_FDCWD, 0);
}
Answer serve_mkdirat(const Call& call) {
    return make_directory(call, call.int_argument(0), 1);
}
Answer serve_rmdir(const Call& call) {
    return remove_name(call, AT_FDCWD, 0, AT_REMOVEDIR);
}
Answer serve_unlink(const Call& call) {
    return remove_name(call, AT_FDCWD, 0, 0);
}
Answer serve_unlinkat(const Call& call) {
    return remove_name(call, call.int_argument(0), 1, call.int_argument(2));
}
Answer serve_symlink(const Call& call) {
    return make_symbolic_link(call, AT_FDCWD, 1);
}
Answer serve_symlinkat(const Call& call) {
    return make_symbolic_link(call, call.int_argument(1), 2);
}
Answer serve_mknod(const Call& call) {
    return make_node(call, AT_FDCWD, 0);
}
Answer serve_mknodat(const Call& call) {
    return make_node(call, call.int_argument(0), 1);
}
Answer serve_link(const Call& call) {
    return make_link(call, {AT_FDCWD, 0}, {AT_FDCWD, 1}, 0);
}
Answer serve_linkat(const Call& call) {
    return make_link(call, {call.int_argument(0), 1}, {call.int_argument(2), 3},
                     call.int_argument(4));
}

}  // namespace linux_backend
