// One row of the battery: an effect, how its target is laid out, how it is tried, and how it is
// seen from outside whether it happened.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "policy/access.h"

namespace ctl::verify {

class Ground;

/// What an attempt is given: the words behind its id.
using Arguments = std::vector<std::string>;

/// What an attempt left to be seen by whoever started it.
struct Seen {
    std::string output;      ///< Its standard output.
    std::string complaints;  ///< Its standard error.
    pid_t held = -1;         ///< The process that waits to be looked at; -1: none does.
    int status = -1;         ///< As from waitpid; -1 while it is looked at, or when it had to be
                             ///< killed.
};

enum class Control {
    usual,  ///< The same attempt without a sandbox has to have the effect, or it says nothing.
    none,   ///< The effect is the sandbox's own.
};

/// A target laid out afresh for one attempt. What it owns is cleared away with it.
struct Stage {
    Arguments arguments;
    std::function<bool(const Seen&)> happened;  ///< Looks from outside; trusts no success.
    std::string object;                         ///< As `sbxctl explain` takes it; may be empty.
    std::vector<std::string> variables;  ///< "NAME=value", added to the attempt's environment.
    int terminal = -1;                   ///< Its standard input and controlling terminal; -1: none.
};

/// One effect. To add one is to add a row to its family, and one function for `attempt`.
struct Effect {
    std::string_view id;  ///< Stable, shown in JSON: "files.append".
    std::string_view what;
    core::Result<Stage> (*stage)(Ground&);  ///< Runs outside.
    /// Runs inside, by system calls alone: 0, or the errno of the call that failed. Null where the
    /// shell's own `line` is the attempt.
    int (*attempt)(const Arguments&) = nullptr;
    std::optional<policy::Access> access = {};     ///< Of `object`, to name who decided otherwise.
    std::string_view line = "exec \"$0\" \"$@\"";  ///< What the shell is given.
    Control control = Control::usual;
};

enum class Kind {
    attack,  ///< Must not happen.
    use,     ///< Must happen.
};

/// Effects that are shown together.
struct Family {
    std::string_view title;
    Kind kind;
    std::span<const Effect> effects;
};

}  // namespace ctl::verify
