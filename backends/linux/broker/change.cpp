// Deciding on and performing changes of metadata.
#include "linux/broker/change.h"

#include <cerrno>
#include <shared_mutex>
#include <string_view>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/device_node.h"
#include "linux/broker/git_gate.h"
#include "linux/broker/identity.h"

namespace linux_backend {
namespace {

/// Removed from the tree but still held: no name leads to it, so that no rule can speak of it.
bool is_unlinked(const Target& target) {
    constexpr std::string_view deleted = " (deleted)";
    return target.status.st_nlink == 0 && descriptor_path(target.object.get()).ends_with(deleted);
}

/// Held by the caller open for writing from the start, by the will of whoever started the command.
bool is_inherited(const Call& call, const Named& named, const Target& target) {
    return named.by != Named::By::path && call.broker().start().is_inherited(target.id());
}

bool is_harmless_to_git(const Target& target, const Change& change,
                        const policy::Decision& decision) {
    const bool light =
        change.weight == Change::Weight::light || (change.idle && change.idle(target.status));
    if (!light) return false;
    if (S_ISDIR(target.status.st_mode)) return git_gate::may_make_directory(decision, target.path);
    return decision.rule->inspection == policy::Inspection::git_config;
}

OrErrno<Target> resolve(const Call& call, const Named& named) {
    switch (named.by) {
        case Named::By::path:
            return resolve_object(call, named.descriptor, named.path, named.final_link);
        case Named::By::descriptor: {
            const auto copy = call.caller().duplicate(named.descriptor);
            if (!copy) return failed(copy.error());
            if ((::fcntl(copy->get(), F_GETFL) & O_PATH) != 0) return failed(EBADF);
            break;
        }
        case Named::By::empty_path:
            break;
    }
    return resolve_descriptor(call, named.descriptor);
}

}  // namespace

OrErrno<Named> named_by_path(const Call& call, int directory, int path_index, int flags) {
    if ((flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) != 0) return failed(EINVAL);
    auto path = call.path_argument(path_index);
    if (!path) return failed(path.error());
    Named named;
    named.descriptor = directory;
    named.path = std::move(*path);
    if ((flags & AT_SYMLINK_NOFOLLOW) != 0) named.final_link = FinalLink::keep;
    if (named.path.empty() && (flags & AT_EMPTY_PATH) != 0) named.by = Named::By::empty_path;
    return named;
}

OrErrno<Named> named_by_path_or_null(const Call& call, int directory, int path_index, int flags) {
    Named named;
    if (call.argument(path_index) == 0 && (flags & AT_EMPTY_PATH) != 0) {
        if ((flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) != 0) return failed(EINVAL);
        named.by = Named::By::empty_path;
        named.descriptor = directory;
    } else {
        auto given = named_by_path(call, directory, path_index, flags);
        if (!given) return given;
        named = std::move(*given);
    }
    // These calls take an O_PATH descriptor for none, unlike the older ones.
    if (named.by == Named::By::empty_path && directory != AT_FDCWD)
        return named_by_descriptor(directory);
    return named;
}

Named named_by_descriptor(int descriptor) {
    Named named;
    named.by = Named::By::descriptor;
    named.descriptor = descriptor;
    return named;
}

std::optional<Answer> refuse_change(const Call& call, const Named& named, const Target& target,
                                    const Change& change) {
    if (target.where == Target::Where::anonymous || is_unlinked(target) ||
        is_inherited(call, named, target))
        return std::nullopt;
    if (change.devices == Change::Devices::refuse)
        if (auto refusal = refuse_device_node(call, target.path, target.status, change.operation))
            return refusal;
    const policy::Decision decision = call.broker().policy().decide(
        policy::Access::write, target.path, target.id(), call.broker().tree());
    if (decision.allowed() || is_harmless_to_git(target, change, decision) ||
        call.broker().terminals().pass(decision, target.object))
        return std::nullopt;
    return call.refuse(
        decision,
        Attempt{policy::Access::write, change.operation, target.path, {"--write", target.path}},
        EACCES);
}

OrErrno<void> assume_exactly(const Call& call) {
    call.own_identity();
    const auto identity = read_identity(call.caller().thread());
    if (!identity) return failed(identity.error());
    return assume(*identity);
}

Answer change_metadata(const Call& call, const Named& named, const Change& change) {
    const std::shared_lock hold(call.broker().names());
    const auto target = resolve(call, named);
    if (!target) return Answer::error(target.error());
    if (!call.valid()) return Answer::error(ESRCH);
    if (auto refusal = refuse_change(call, named, *target, change)) return std::move(*refusal);
    const auto assumed =
        change.rights == Change::Rights::exact ? assume_exactly(call) : call.assume_identity();
    if (!assumed) return Answer::error(assumed.error());
    return Answer::of(change.perform(*target));
}

}  // namespace linux_backend
