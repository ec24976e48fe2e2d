// Names of accesses.
#include "policy/access.h"

#include <array>

namespace policy {

std::string_view name(Access access) {
    static constexpr std::array<std::string_view, 11> names{
        "read",      "write",  "execute", "connect", "bind",  "unix-connect",
        "unix-bind", "signal", "inspect", "ipc",     "kernel"};
    return names[static_cast<std::size_t>(access)];
}

}  // namespace policy
