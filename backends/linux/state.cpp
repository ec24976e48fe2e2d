// Directories "workspaces/<escaped path>".
#include "linux/state.h"

#include <sys/stat.h>

#include <cerrno>
#include <functional>

namespace linux_backend {
namespace {

constexpr std::size_t name_limit = 200;

/// One file name for a path: "%2F" for slashes. A long path keeps its end, with a hash of the whole
/// before it.
std::string escaped(const std::string& path) {
    std::string name;
    for (const char c : path) {
        if (c == '/') {
            name += "%2F";
        } else if (c == '%') {
            name += "%25";
        } else {
            name += c;
        }
    }
    if (name.size() <= name_limit) return name;
    return std::to_string(std::hash<std::string>()(path)) + "-" +
           name.substr(name.size() - name_limit + 32);
}

bool make_directory(const std::string& path) {
    return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

}  // namespace

std::string workspace_state(const launch::Plan& plan) {
    if (plan.state.empty()) return {};
    const std::string parent = plan.state + "/workspaces";
    const std::string& workspace = plan.policy.workspace();
    const std::string directory = parent + "/" + escaped(workspace.empty() ? "none" : workspace);
    if (!make_directory(directory) && !(make_directory(parent) && make_directory(directory)))
        return {};
    return directory;
}

}  // namespace linux_backend
