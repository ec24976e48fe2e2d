// What a policy has to know about this user, this directory and this machine.
#include "launch/surroundings.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <optional>

#include "launch/canonical.h"
#include "launch/git_runs.h"
#include "launch/homes.h"
#include "launch/ignore_files.h"
#include "launch/workspace.h"
#include "os/tree.h"

namespace launch {
namespace {

constexpr std::size_t passwd_limit = 4 << 20;

/// The kernel's own answer: getcwd(3) would go looking for a directory that is gone.
std::string current_directory() {
    char buffer[PATH_MAX];
    if (syscall(SYS_getcwd, buffer, sizeof buffer) <= 0 || buffer[0] != '/') return {};
    return buffer;
}

/// The canonical value of an XDG variable; nothing when it is unset or not absolute, as the
/// specification says.
std::optional<std::string> directory_from(const Environment& environment,
                                          std::string_view variable) {
    const auto value = find_nonempty(environment, variable);
    return value ? canonical(*value) : std::nullopt;
}

/// The canonical path of `suffix` ("/a/b") below the canonical directory `home`.
std::string below_home(const std::string& home, std::string_view suffix) {
    std::string path = home;
    char target[1];
    for (std::size_t at = 0; at < suffix.size();) {
        const std::size_t end = std::min(suffix.find('/', at + 1), suffix.size());
        path += suffix.substr(at, end - at);
        at = end;
        if (readlink(path.c_str(), target, sizeof target) >= 0) {
            path += suffix.substr(at);
            return canonical(path).value_or(path);
        }
        if (errno == EINVAL) continue;  // it is there and no link
        path += suffix.substr(at);
        break;
    }
    return path;
}

void add_once(std::vector<std::string>& list, std::string path) {
    if (std::find(list.begin(), list.end(), path) == list.end()) list.push_back(std::move(path));
}

/// Fills in what depends on the user alone.
class UserVariables {
  public:
    UserVariables(const Environment& environment, const Homes& homes, Scene& scene)
        : environment_(environment), homes_(homes), scene_(scene) {}

    void fill(const SystemPaths& paths) {
        policy::Variables& variables = scene_.variables;
        variables.homes = homes_.all;
        variables.foreign_homes = homes_.foreign;
        variables.temporary.push_back(canonical(paths.temporary).value_or(paths.temporary));
        if (auto temporary = narrow("TMPDIR")) add_once(variables.temporary, *std::move(temporary));
        variables.cache = narrow("XDG_CACHE_HOME").value_or(home("/.cache"));
        variables.config =
            directory_from(environment_, "XDG_CONFIG_HOME").value_or(home("/.config"));
        variables.data =
            directory_from(environment_, "XDG_DATA_HOME").value_or(home("/.local/share"));
        const auto state = directory_from(environment_, "XDG_STATE_HOME");
        variables.state = state ? below_home(*state, "/sbxsh") : home("/.local/state/sbxsh");
        variables.runtime = directory_from(environment_, "XDG_RUNTIME_DIR").value_or("");
    }

  private:
    std::string home(std::string_view suffix) const {
        return below_home(homes_.all.front(), suffix);
    }

    /// The directory named by a variable whose value the policy makes writable.
    std::optional<std::string> narrow(std::string_view variable) const {
        auto directory = directory_from(environment_, variable);
        if (!directory || !is_too_wide(*directory, homes_)) return directory;
        scene_.remarks.push_back(std::string(variable) + "=" + *directory +
                                 " is not followed: it is too much to be writable as a whole");
        return std::nullopt;
    }

    const Environment& environment_;
    const Homes& homes_;
    Scene& scene_;
};

}  // namespace

core::Result<Scene> look_around(const Options& options, const Environment& environment,
                                const SystemPaths& paths) {
    const auto passwd = os::read_regular_file(paths.passwd, passwd_limit, os::Links::follow);
    const Homes homes = find_homes(environment, passwd ? *passwd : std::string(), getuid());
    Scene scene;
    scene.current = current_directory();
    Workspace workspace;
    if (options.workspace.empty()) {
        workspace = find_workspace(scene.current, homes);
    } else {
        auto taken = take_workspace(options.workspace, scene.current, homes);
        if (!taken) return core::fail(taken.error());
        workspace = *std::move(taken);
    }
    if (!workspace.remark.empty()) scene.remarks.push_back(std::move(workspace.remark));
    UserVariables(environment, homes, scene).fill(paths);
    scene.variables.workspace = std::move(workspace.root);
    scene.variables.extra_workspace = std::move(workspace.extra);
    scene.git_directory = std::move(workspace.git_directory);
    policy::Variables& variables = scene.variables;
    const std::string& own_home = homes.all.front();
    variables.git_runs =
        what_git_runs(scene.git_directory, variables.workspace, own_home,
                      {own_home + "/.gitconfig", variables.config + "/git/config"});
    return scene;
}

void RealSurroundings::expect(std::string_view directory, std::size_t names) const {
    paths_.expect(directory, names);
}

RealSurroundings::Resolved RealSurroundings::resolve(const std::string& path) const {
    return paths_.resolve(path);
}

bool RealSurroundings::has_ignore_files(const std::string& workspace) const {
    return launch::has_ignore_files(workspace, git_directory_, cache_);
}

}  // namespace launch
