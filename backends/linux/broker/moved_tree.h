// What a rename would do to the protections of what it moves.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "policy/policy.h"
#include "policy/tree.h"

namespace linux_backend {

/// The part of `path` from `directory` on, with its slash ("" for itself); nothing when it is
/// neither `directory` nor below it.
std::optional<std::string_view> rest_below(std::string_view path, std::string_view directory);

enum class Swap : std::uint8_t {
    no,
    yes,  ///< RENAME_EXCHANGE: what stood at the target comes to the source.
};

/// The tree as it will be once what stands at `from` stands at `to`. Refers to its arguments.
class MovedTree final : public policy::Tree {
  public:
    MovedTree(const policy::Tree& before, const std::string& from, const std::string& to, Swap swap)
        : before_(before), from_(from), to_(to), swap_(swap) {}

    Kind kind(std::string_view path) const override;
    std::optional<std::string> content(std::string_view path, std::size_t limit) const override;

  private:
    /// Where the thing that will be at `path` is now; nothing when there will be nothing.
    std::optional<std::string> now(std::string_view path) const;

    const policy::Tree& before_;
    const std::string& from_;
    const std::string& to_;
    Swap swap_;
};

/// policy::Policy::decide, as a seam for tests.
using Decide = std::function<policy::Decision(policy::Access access, std::string_view path,
                                              policy::FileId id, const policy::Tree& tree)>;

/// The move of a directory tree, and how both sides of it are to be decided on.
struct Move {
    Decide decide;
    const policy::Tree& before;
    const policy::Tree& after;
    std::string from;  ///< Canonical path of the directory now.
    std::string to;    ///< Its path after the move.
    bool check_write;  ///< Whether write rules may treat the two paths differently.
    bool check_read;   ///< The same of read rules.
};

/// Why a move must not be: an entry of the moved tree that would lose its protection, or become a
/// protected object with a content that nobody looked at.
struct Loss {
    policy::Decision decision;
    policy::Access access;
    std::string path;  ///< Of the entry as it is refused: before the move when it would leave its
                       ///< protection, after it when it would come into one.
};

/// Compares the decisions for a single object before and after; `id` is its identity now.
std::optional<Loss> find_loss(const Move& move, policy::FileId id);

/// The same for everything below the directory `name` in `parent`, symbolic links not followed. A
/// tree of more than 20,000 entries, deeper than 256 levels or partly unreadable counts as a loss
/// by the rule "fs.write.unchecked-move".
std::optional<Loss> find_loss_below(const Move& move, int parent, const std::string& name);

}  // namespace linux_backend
