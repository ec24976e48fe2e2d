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

/// What the kernel would answer to this pair whoever asked; 0 when nothing is wrong with it.
int natural_error(const Request& request) {
    const Place& source = request.source;
    const Place& target = request.target;
    if (!source.exists) return ENOENT;
    if ((request.flags & RENAME_NOREPLACE) != 0 && target.exists) return EEXIST;
    if (request.exchanges() && !target.exists) return ENOENT;
    const bool moves_directory = S_ISDIR(source.status.st_mode);
    const auto below_source = rest_below(target.path, source.path);
    if (moves_directory && below_source && !below_source->empty()) return EINVAL;
    const auto above_source = rest_below(source.path, target.path);
    if (above_source && !above_source->empty()) return request.exchanges() ? EINVAL : ENOTEMPTY;
    if (target.exists && !request.exchanges()) {
        if (moves_directory && !S_ISDIR(target.status.st_mode)) return ENOTDIR;
        if (!moves_directory && S_ISDIR(target.status.st_mode)) return EISDIR;
    }
    return 0;
}

/// Nothing when both names may be written.
std::optional<Answer> refuse_names(const Request& request) {
    const Call& call = request.call;
    if (auto refusal =
            call.refused(Access::write, request.source.path, request.source.id(), "rename from"))
        return refusal;
    const Place& target = request.target;
    const Decision decision =
        request.policy().decide(Access::write, target.path, target.id(), request.tree());
    if (decision.allowed()) return std::nullopt;
    const bool plain = (request.flags & ~static_cast<unsigned>(RENAME_NOREPLACE)) == 0;
    if (decision.rule->inspection == policy::Inspection::git_config && plain &&
        S_ISREG(request.source.status.st_mode))
        return git_gate::rename_config(call, request.source, target, decision, request.flags);
    return refuse(call, decision, Access::write, "rename to", target.path);
}

/// Nothing when what moves from `here` to `there` keeps its protections.
std::optional<Answer> refuse_loss(const Request& request, const Side& side,
                                  const policy::Tree& after) {
    const std::string& from = side.here.path;
    const std::string& to = side.there.path;
    const policy::Policy& policy = request.policy();
    const Decide decide = [&policy](Access access, std::string_view path, policy::FileId id,
                                    const policy::Tree& tree) {
        return policy.decide(access, path, id, tree);
    };
    Move move{decide, request.tree(), after, from, to, true, true};
    auto loss = find_loss(move, side.here.id());
    if (!loss && S_ISDIR(side.here.status.st_mode)) {
        move.check_write = !policy.equal_below(Access::write, from, to);
        move.check_read = !policy.equal_below(Access::read, from, to);
        if (move.check_write || move.check_read) {
            const std::string name(from.substr(from.rfind('/') + 1));
            loss = find_loss_below(move, side.here.parent.get(), name);
        }
    }
    if (!loss) return std::nullopt;
    return refuse(request.call, loss->decision, loss->access, "move", loss->path);
}

std::optional<Answer> refuse_move(const Request& request) {
    if (auto refusal = refuse_names(request)) return refusal;
    const Swap swap = request.exchanges() ? Swap::yes : Swap::no;
    const MovedTree after(request.tree(), request.source.path, request.target.path, swap);
    const Side forth{request.source, request.target};
    if (auto refusal = refuse_loss(request, forth, after)) return refusal;
    const Kind moved = kind_of(request.source.status);
    if (!request.exchanges()) {
        if (request.target.exists) return std::nullopt;
        return git_gate::refuse_completion(request.call, request.target.path, moved);
    }
    if (auto refusal = refuse_loss(request, {request.target, request.source}, after))
        return refusal;
    if (auto refusal = git_gate::refuse_completion(request.call, request.target.path, moved))
        return refusal;
    return git_gate::refuse_completion(request.call, request.source.path,
                                       kind_of(request.target.status));
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
    if (!old_path || !new_path)
        return Answer::error(old_path ? new_path.error() : old_path.error());

    // Alone, also for a file: a directory could take its place between the decision and the move.
    const NamesHold hold(call.broker(), Hold::alone);
    const auto source = resolve_place(call, from.directory, *old_path);
    if (!source) return Answer::error(source.error());
    const auto target = resolve_place(call, to.directory, *new_path);
    if (!target) return Answer::error(target.error());
    if (!call.valid()) return Answer::error(ESRCH);

    if (!source->special() && !target->special()) {
        const Request request{call, *source, *target, flags};
        if (const int error = natural_error(request)) return Answer::error(error);
        if (auto refusal = refuse_move(request)) return std::move(*refusal);
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
