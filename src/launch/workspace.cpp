// The workspace.
#include "launch/workspace.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "launch/canonical.h"
#include "launch/git_directory.h"

namespace launch {
namespace {

/// Too wide themselves, but not what is below them.
constexpr std::array<std::string_view, 13> system_directories = {
    "/dev", "/dev/shm", "/home", "/media",     "/mnt",     "/opt", "/root",
    "/run", "/srv",     "/usr",  "/usr/local", "/usr/src", "/var"};

/// Too wide with everything below them.
constexpr std::array<std::string_view, 17> system_trees = {
    "/bin",     "/boot",     "/etc",       "/lib",           "/lib32",        "/lib64",
    "/libx32",  "/proc",     "/sbin",      "/sys",           "/usr/bin",      "/usr/include",
    "/usr/lib", "/usr/sbin", "/usr/share", "/usr/local/bin", "/usr/local/lib"};

bool is_system(std::string_view directory) {
    const auto holds = [&](std::string_view tree) { return is_within(directory, tree); };
    return std::find(system_directories.begin(), system_directories.end(), directory) !=
               system_directories.end() ||
           std::any_of(system_trees.begin(), system_trees.end(), holds);
}

/// "/", a home, or a directory that holds the home of an account.
bool reaches_home(std::string_view directory, const Homes& homes) {
    return directory == "/" ||
           std::find(homes.all.begin(), homes.all.end(), directory) != homes.all.end() ||
           std::any_of(homes.accounts.begin(), homes.accounts.end(),
                       [&](const std::string& home) { return is_within(home, directory); });
}

Workspace with_repository(std::string root) {
    Workspace workspace;
    if (auto git = find_git_directory(root)) {
        workspace.git_directory = std::move(git->path);
        workspace.extra = std::move(git->roots);
        workspace.remark = std::move(git->remark);
    }
    workspace.root = std::move(root);
    return workspace;
}

bool has_dot_git(const std::string& directory) {
    struct stat status;
    return lstat((directory + "/.git").c_str(), &status) == 0;
}

core::Error cannot_take(std::string_view wanted, int code, std::string detail) {
    return core::Error{"take it as workspace", std::string(wanted), code, std::move(detail),
                       "name an existing directory that holds one project, with --sbx-workspace or "
                       "SBXSH_WORKSPACE"};
}

}  // namespace

bool is_too_wide(std::string_view directory, const Homes& homes) {
    return is_system(directory) || reaches_home(directory, homes);
}

Workspace find_workspace(const std::string& current, const Homes& homes) {
    Workspace none;
    if (current.empty()) {
        none.remark = "there is no workspace: the current directory cannot be found";
        return none;
    }
    for (std::string directory = current; !directory.empty();
         directory.resize(directory.rfind('/'))) {
        if (has_dot_git(directory) && !is_too_wide(directory, homes))
            return with_repository(std::move(directory));
    }
    if (!is_too_wide(current, homes)) return with_repository(current);
    none.remark = "there is no workspace: " + current + " is too much to be writable as a whole";
    return none;
}

core::Result<Workspace> take_workspace(std::string_view wanted, const std::string& current,
                                       const Homes& homes) {
    const std::string absolute =
        wanted.starts_with('/') ? std::string(wanted) : current + "/" + std::string(wanted);
    struct stat status;
    if (!absolute.starts_with('/')) return core::fail(cannot_take(wanted, ENOENT, {}));
    if (stat(absolute.c_str(), &status) != 0) return core::fail(cannot_take(wanted, errno, {}));
    if (!S_ISDIR(status.st_mode)) return core::fail(cannot_take(wanted, ENOTDIR, {}));
    auto root = canonical(absolute);
    if (!root) return core::fail(cannot_take(wanted, ENOENT, {}));
    if (reaches_home(*root, homes)) {
        return core::fail(cannot_take(wanted, 0, *root + " is too much to be writable as a whole"));
    }
    return with_repository(*std::move(root));
}

}  // namespace launch
