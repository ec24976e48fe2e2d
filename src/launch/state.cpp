// Our own state directory.
#include "launch/state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "launch/canonical.h"

namespace launch {
namespace {

core::Error unusable(const std::string& state, int code, std::string detail) {
    return core::Error{"use the state directory", state, code, std::move(detail),
                       "make it a writable directory of your own, or set XDG_STATE_HOME to one "
                       "outside the workspace"};
}

/// mkdir -p; errno on failure, else 0.
int make_with_parents(const std::string& path) {
    if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return 0;
    const auto slash = path.rfind('/');
    if (errno != ENOENT || slash == 0 || slash == std::string::npos) return errno;
    if (const int code = make_with_parents(path.substr(0, slash))) return code;
    return mkdir(path.c_str(), 0700) == 0 || errno == EEXIST ? 0 : errno;
}

bool in_workspace(const policy::Variables& variables) {
    if (is_within(variables.state, variables.workspace)) return true;
    for (const std::string& root : variables.extra_workspace) {
        if (is_within(variables.state, root)) return true;
    }
    return false;
}

}  // namespace

core::Result<void> prepare_state(const policy::Variables& variables) {
    const std::string& state = variables.state;
    if (is_within(state, "/nonexistent"))
        return core::fail(unusable(state, 0, "the user has no home directory"));
    if (in_workspace(variables)) return core::fail(unusable(state, 0, "it lies in the workspace"));
    struct stat status;
    if (stat(state.c_str(), &status) != 0) {
        if (errno != ENOENT) return core::fail(unusable(state, errno, {}));
        if (const int code = make_with_parents(state)) return core::fail(unusable(state, code, {}));
        if (stat(state.c_str(), &status) != 0) return core::fail(unusable(state, errno, {}));
    }
    if (!S_ISDIR(status.st_mode)) return core::fail(unusable(state, ENOTDIR, {}));
    if (faccessat(AT_FDCWD, state.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
        return core::fail(unusable(state, errno, {}));
    }
    return {};
}

}  // namespace launch
