// Serves rename, renameat and renameat2.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/device_node.h"
#include "linux/broker/git_gate.h"
#include "linux/broker/handlers.h"
#include "linux/broker/moved_tree.h"
#include "linux/broker/names.h"

namespace linux_backend {
namespace {

using policy::Access;
using policy::Decision;
using Kind = policy::Tree::Kind;

/// One side of a rename: what stands there and where it goes.
struct Side {
    const Place& here;
    const Place& there;
};

constexpr unsigned known_flags = RENAME_NOREPLACE | RENAME_EXCHANGE | RENAME_WHITEOUT;

struct Request {
    const Call& call;
    const Place& source;
    const Place& target;
    unsigned flags;

    bool exchanges() const { return (flags & RENAME_EXCHANGE) != 0; }
    const policy::Policy& policy() const { return call.broker().policy(); }
    const policy::Tree& tree() const { return call.broker().tree(); }
};

Kind kind_of(const struct stat& status) {
    if (S_ISDIR(status.st_mode)) return Kind::directory;
    return S_ISREG(status.st_mode) ? Kind::file : Kind::other;
}

Answer refuse(const Call& call, const Decision& decision, Access access, const char* operation,
              const std::string& object) {
    const char* option = access == Access::write ? "--write" : "--read";
    return call.refuse(decision, Attempt{access, operation, object, {option, object}}, EACCES);
}

bool on_one_file_system(const Place& a, const Place& b) {
    struct stat status_a;
    struct stat status_b;
    return ::fstat(a.parent.get(), &status_a) == 0 && ::fstat(b.parent.get(), &status_b) == 0 &&
           status_a.st_dev == status_b.st_dev;
}

/// Whether a path ends in a slash though what is moved there, or from there, is no directory.
bool slash_without_directory(const Request& request) {
    const Place& source = request.source;
    const Place& target = request.target;
    const bool at_source = source.name.back() == '/';
    const bool at_target = target.name.back() == '/';
    if (request.exchanges() && at_target && !S_ISDIR(target.status.st_mode)) return true;
    if (S_ISDIR(source.status.st_mode)) return false;
    return at_source || (at_target && !request.exchanges());
}

/// What the kernel would answer to this pair whoever asked; 0 when nothing is wrong with it.
int natural_error(const Request& request) {
    const Place& source = request.source;
    const Place& target = request.target;
    if (!on_one_file_system(source, target)) return EXDEV;
    if (!source.exists) return source.is_too_long ? ENAMETOOLONG : ENOENT;
    if (target.is_too_long) return ENAMETOOLONG;
    struct stat parent;
    if (::fstat(target.parent.get(), &parent) == 0 && parent.st_nlink == 0) return ENOENT;
    if ((request.flags & RENAME_NOREPLACE) != 0 && target.exists) return EEXIST;
    if (request.exchanges() && !target.exists) return ENOENT;
    if (slash_without_directory(request)) return ENOTDIR;
    const bool moves_directory = S_ISDIR(source.status.st_mode);
    const auto below_source = rest_below(target.path, source.path);
    if (moves_directory && below_source && !below_source->empty()) return EINVAL;
    const auto above_source = rest_below(source.path, target.path);
    if (above_source && !above_source->empty()) return request.exchanges() ? EINVAL : ENOTEMPTY;
    return 0;
}

/// Whether the content of the source decides about a target that is refused by its name.
bool is_inspected(const Request& request, const Decision& on_target) {
    const bool plain = (request.flags & ~static_cast<unsigned>(RENAME_NOREPLACE)) == 0;
    return plain && on_target.rule->inspection != policy::Inspection::none &&
           S_ISREG(request.source.status.st_mode);
}

/// A `.git` that is a directory is no pointer.
bool is_new_git_directory(const Request& request, const Decision& on_target) {
    return S_ISDIR(request.source.status.st_mode) &&
           on_target.rule->inspection == policy::Inspection::git_pointer &&
           git_gate::may_make_directory(on_target, request.target.path);
}

Decide decide_by(const policy::Policy& policy) {
    return [&policy](Access access, std::string_view path, policy::FileId id,
                     const policy::Tree& tree) { return policy.decide(access, path, id, tree); };
}

std::optional<Answer> refuse(const Request& request, const std::optional<Loss>& loss) {
    if (!loss) return std::nullopt;
    return refuse(request.call, loss->decision, loss->access, "move", loss->path);
}

/// Nothing when what moves from `here` to `there` keeps its protections.
std::optional<Answer> refuse_loss(const Request& request, const Side& side,
                                  const policy::Tree& after) {
    const std::string& from = side.here.path;
    const std::string& to = side.there.path;
    const policy::Policy& policy = request.policy();
    Move move{decide_by(policy), request.tree(), after, from, to, true, true};
    auto loss = find_loss(move, side.here.id());
    if (loss || !S_ISDIR(side.here.status.st_mode)) return refuse(request, loss);
    if (auto refusal = git_gate::refuse_new_git_name(request.call, from, to)) return refusal;
    move.check_write = !policy.equal_below(Access::write, from, to);
    move.check_read = !policy.equal_below(Access::read, from, to);
    if (!move.check_write && !move.check_read) return std::nullopt;
    return refuse(request,
                  find_loss_below(move, side.here.parent.get(), from.substr(from.rfind('/') + 1)));
}

std::optional<Answer> refuse_completion(const Request& request) {
    const Kind moved = kind_of(request.source.status);
    if (!request.target.exists || request.exchanges())
        if (auto refusal = git_gate::refuse_completion(request.call, request.target.path, moved))
            return refusal;
    if (!request.exchanges()) return std::nullopt;
    return git_gate::refuse_completion(request.call, request.source.path,
                                       kind_of(request.target.status));
}

Answer rename_inspected(const Request& request, const policy::Tree& after,
                        const Decision& on_target) {
    const Move move{decide_by(request.policy()), request.tree(), after, request.source.path,
                    request.target.path,         false,          true};
    if (auto refusal = refuse(request, find_loss(move, request.source.id())))
        return std::move(*refusal);
    if (auto refusal = refuse_completion(request)) return std::move(*refusal);
    return git_gate::rename_inspected(request.call, request.source, request.target, on_target,
                                      request.flags);
}

/// Nothing when the kernel's own rename may follow.
std::optional<Answer> decide(const Request& request) {
    const Call& call = request.call;
    const Place& source = request.source;
    const Place& target = request.target;
    if (auto refusal = call.refused(Access::write, source.path, source.id(), "rename from"))
        return refusal;
    if (auto refusal = refuse_device_node(call, source.path, source.status, "rename from"))
        return refusal;
    if (target.exists)
        if (auto refusal = refuse_device_node(call, target.path, target.status, "rename to"))
            return refusal;
    const Swap swap = request.exchanges() ? Swap::yes : Swap::no;
    const MovedTree after(request.tree(), source.path, target.path, swap);
    const Decision on_target =
        request.policy().decide(Access::write, target.path, target.id(), request.tree());
    if (!on_target.allowed()) {
        if (is_inspected(request, on_target)) return rename_inspected(request, after, on_target);
        if (!is_new_git_directory(request, on_target))
            return refuse(call, on_target, Access::write, "rename to", target.path);
    }
    if (auto refusal = refuse_loss(request, {source, target}, after)) return refusal;
    if (request.exchanges())
        if (auto refusal = refuse_loss(request, {target, source}, after)) return refusal;
    return refuse_completion(request);
}

/// One end of a rename: the arguments of the call.
struct End {
    int directory;
    int path_index;
};

Answer rename_names(const Call& call, End from, End to, unsigned flags) {
    if ((flags & ~known_flags) != 0) return Answer::error(EINVAL);
    if ((flags & RENAME_EXCHANGE) != 0 && flags != RENAME_EXCHANGE) return Answer::error(EINVAL);
    const auto old_path = call.path_argument(from.path_index);
    const auto new_path = call.path_argument(to.path_index);
    if (!old_path) return Answer::error(old_path.error());

    // Alone, also for a file: a directory could take its place between the decision and the move.
    const NamesHold hold(call.broker(), Hold::alone);
    const auto source = resolve_place(call, from.directory, *old_path);
    if (!source) return Answer::error(source.error());
    if (!new_path) return Answer::error(new_path.error());
    const auto target = resolve_place(call, to.directory, *new_path);
    if (!target) return Answer::error(target.error());
    if (!call.valid()) return Answer::error(ESRCH);

    if (!source->special() && !target->special()) {
        const Request request{call, *source, *target, flags};
        if (const int error = natural_error(request)) return Answer::error(error);
        if (auto answer = decide(request)) return std::move(*answer);
    }
    return Answer::of(::syscall(SYS_renameat2, source->parent.get(), source->name.c_str(),
                                target->parent.get(), target->name.c_str(), flags));
}

}  // namespace

Answer serve_rename(const Call& call) {
    return rename_names(call, {AT_FDCWD, 0}, {AT_FDCWD, 1}, 0);
}

Answer serve_renameat(const Call& call) {
    return rename_names(call, {call.int_argument(0), 1}, {call.int_argument(2), 3}, 0);
}

Answer serve_renameat2(const Call& call) {
    const auto flags = static_cast<unsigned>(call.argument(4));
    return rename_names(call, {call.int_argument(0), 1}, {call.int_argument(2), 3}, flags);
}

}  // namespace linux_backend
