// Home directories: whose secrets there are to protect.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "launch/environment.h"

namespace launch {

struct Homes {
    /// Canonical, without duplicates; the user's own first. Never empty: "/nonexistent" when none
    /// is known.
    std::vector<std::string> all;
    /// Those of `all` that the password file names.
    std::vector<std::string> accounts;
    std::size_t foreign = 0;  ///< How many of `all`, from the end, are of other people.
};

/// HOME, the home of `user` by the password file, and for root those of all people (user ids from
/// 1000 on) and /root. A home that is "/" or does not exist does not count. `passwd` is the text of
/// the password file; malformed lines in it are passed over.
Homes find_homes(const Environment& environment, std::string_view passwd, uid_t user);

}  // namespace launch
