// Compares the decisions on a tree before and after it moves.
#include "linux/broker/moved_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "os/fd.h"

namespace linux_backend {
namespace {

using policy::Access;
using policy::Decision;

constexpr int entry_limit = 20'000;
constexpr int depth_limit = 256;

const policy::Rule& unchecked_move() {
    static const policy::Rule rule{"fs.write.unchecked-move",
                                   policy::Effect::deny,
                                   {},
                                   "what it contains could not be checked for protected files",
                                   policy::Inspection::none};
    return rule;
}

Loss unchecked(const Move& move, const std::string& directory, const char* why) {
    return Loss{Decision{policy::Effect::deny, &unchecked_move(), why}, Access::write,
                move.from + directory};
}

/// Walks a tree that is about to move.
class Scan {
  public:
    explicit Scan(const Move& move) : move_(move) {}

    /// `relative` is the directory's path below the moved one, "" or "/a/b".
    std::optional<Loss> directory(int parent, const std::string& name, const std::string& relative,
                                  int depth) {
        if (depth > depth_limit) return unchecked(move_, relative, "too deep to check");
        constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        os::Fd fd(::openat(parent, name.c_str(), flags));
        if (!fd) return unchecked(move_, relative, "cannot be listed");
        const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(fd.get()), ::closedir);
        if (!entries) return unchecked(move_, relative, "cannot be listed");
        const int descriptor = fd.release();
        errno = 0;
        while (const dirent* entry = ::readdir(entries.get())) {
            const std::string entry_name = entry->d_name;
            if (entry_name == "." || entry_name == "..") continue;
            if (++count_ > entry_limit) return unchecked(move_, "", "too large to check");
            if (auto loss = this->entry(descriptor, entry_name, relative + "/" + entry_name, depth))
                return loss;
            errno = 0;
        }
        if (errno != 0) return unchecked(move_, relative, "cannot be listed");
        return std::nullopt;
    }

  private:
    std::optional<Loss> entry(int parent, const std::string& name, const std::string& relative,
                              int depth) {
        struct stat status;
        if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
            return unchecked(move_, relative, "cannot be looked at");
        const Move one{move_.decide,          move_.before,        move_.after,
                       move_.from + relative, move_.to + relative, move_.check_write,
                       move_.check_read};
        if (auto loss = find_loss(one, {status.st_dev, status.st_ino})) return loss;
        if (!S_ISDIR(status.st_mode)) return std::nullopt;
        return directory(parent, name, relative, depth + 1);
    }

    const Move& move_;
    int count_ = 0;
};

}  // namespace

std::optional<std::string_view> rest_below(std::string_view path, std::string_view directory) {
    if (!path.starts_with(directory)) return std::nullopt;
    path.remove_prefix(directory.size());
    if (!path.empty() && path.front() != '/') return std::nullopt;
    return path;
}

std::optional<std::string> MovedTree::now(std::string_view path) const {
    if (const auto rest = rest_below(path, to_)) return from_ + std::string(*rest);
    const auto rest = rest_below(path, from_);
    if (!rest) return std::string(path);
    if (swap_ == Swap::no) return std::nullopt;
    return to_ + std::string(*rest);
}

policy::Tree::Kind MovedTree::kind(std::string_view path) const {
    const auto place = now(path);
    return place ? before_.kind(*place) : Kind::absent;
}

std::optional<std::string> MovedTree::content(std::string_view path, std::size_t limit) const {
    const auto place = now(path);
    return place ? before_.content(*place, limit) : std::nullopt;
}

std::optional<Loss> find_loss(const Move& move, policy::FileId id) {
    // After the move only the name counts: an object that is protected by its identity stays so.
    if (move.check_write) {
        Decision before = move.decide(Access::write, move.from, id, move.before);
        Decision after = move.decide(Access::write, move.to, {}, move.after);
        if (!before.allowed() && after.allowed())
            return Loss{std::move(before), Access::write, move.from};
        if (before.allowed() && !after.allowed())
            return Loss{std::move(after), Access::write, move.to};
    }
    if (move.check_read) {
        Decision before = move.decide(Access::read, move.from, id, move.before);
        if (before.allowed()) return std::nullopt;
        if (move.decide(Access::read, move.to, {}, move.after).allowed())
            return Loss{std::move(before), Access::read, move.from};
    }
    return std::nullopt;
}

std::optional<Loss> find_loss_below(const Move& move, int parent, const std::string& name) {
    return Scan(move).directory(parent, name, "", 1);
}

}  // namespace linux_backend
