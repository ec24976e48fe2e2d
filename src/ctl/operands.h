// Which accesses a command line makes plain by its words: redirections, and the file operands of
// well-known programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/access.h"

namespace ctl {

/// One access that the text makes plain.
struct PlainAccess {
    std::string part;  ///< The redirection, or the command, as written.
    policy::Access access = policy::Access::read;
    std::string path;  ///< As the program gets it, `~` replaced by `home`; relative to `directory`.
    std::string directory;  ///< The directory in force there: "cd" with a constant operand counts.
};

struct PlainAccesses {
    std::vector<PlainAccess> found;  ///< In the order of the text.
    std::vector<std::string>
        unknown;  ///< Commands and redirections whose objects only running them would tell.
};

/// Reads `text`, which starts in `current`.
PlainAccesses plain_accesses(std::string_view text, const std::string& current,
                             const std::string& home);

}  // namespace ctl
