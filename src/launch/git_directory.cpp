// Which git directory belongs to a working tree.
#include "launch/git_directory.h"

#include <sys/stat.h>

#include <cerrno>

#include "launch/canonical.h"
#include "os/tree.h"
#include "policy/git_config.h"

namespace launch {
namespace {

constexpr std::size_t pointer_limit = 8192;
constexpr std::size_t config_limit = 1 << 20;

bool exists(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0;
}

bool is_repository(const std::string& directory) {
    return exists(directory + "/HEAD") && exists(directory + "/objects") &&
           exists(directory + "/refs");
}

/// The one path in a file such as `commondir`, relative to `base`, made canonical.
std::optional<std::string> resolve_pointer(std::string_view text, const std::string& base) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    if (text.empty() || text.find('\0') != std::string_view::npos) return std::nullopt;
    return canonical(text[0] == '/' ? std::string(text) : base + "/" + std::string(text));
}

std::optional<std::string> read_pointer(const std::string& file, const std::string& base,
                                        std::string_view prefix = "") {
    const auto text = os::read_regular_file(file, pointer_limit, os::Links::refuse);
    if (!text || !text->starts_with(prefix)) return std::nullopt;
    std::string_view rest = std::string_view(*text).substr(prefix.size());
    if (!prefix.empty()) rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return resolve_pointer(rest, base);
}

/// The common directory of the worktree at `root`, when `directory` is one of its worktrees and
/// names `root`.
std::optional<std::string> common_directory(const std::string& directory, const std::string& root) {
    const auto common = read_pointer(directory + "/commondir", directory);
    const auto tree = read_pointer(directory + "/gitdir", directory);
    if (!common || tree != root + "/.git" || !is_repository(*common)) return std::nullopt;
    const std::string worktrees = *common + "/worktrees/";
    if (!directory.starts_with(worktrees)) return std::nullopt;
    if (directory.find('/', worktrees.size()) != std::string::npos) return std::nullopt;
    return common;
}

bool config_names(const std::string& file, const std::string& directory, const std::string& root) {
    const auto text = os::read_regular_file(file, config_limit, os::Links::refuse);
    if (!text) return false;
    const auto settings = policy::parse_git_config(*text);
    if (!settings) return false;
    std::optional<std::string> tree;
    for (const policy::GitSetting& setting : *settings) {
        if (setting.key == "core.worktree") tree = resolve_pointer(setting.value, directory);
    }
    return tree == root;
}

/// Whether `directory` is a submodule's git directory that says that its tree is at `root`.
bool is_submodule_of(const std::string& directory, const std::string& root) {
    return is_repository(directory) &&
           (config_names(directory + "/config", directory, root) ||
            config_names(directory + "/config.worktree", directory, root));
}

}  // namespace

std::string shared_git_directory(const std::string& git_directory) {
    return read_pointer(git_directory + "/commondir", git_directory).value_or(git_directory);
}

std::optional<GitDirectory> find_git_directory(const std::string& root) {
    const std::string pointer = root + "/.git";
    struct stat status;
    if (stat(pointer.c_str(), &status) != 0) return std::nullopt;
    GitDirectory git;
    if (S_ISDIR(status.st_mode)) {
        git.path = canonical(pointer).value_or(pointer);
    } else if (auto named = read_pointer(pointer, root, "gitdir:")) {
        git.path = *std::move(named);
    } else {
        return std::nullopt;
    }
    if (is_within(git.path, root)) return git;
    if (auto common = common_directory(git.path, root)) {
        if (!is_within(*common, root)) git.roots.push_back(*std::move(common));
    } else if (is_submodule_of(git.path, root)) {
        git.roots.push_back(git.path);
    } else {
        git.remark = "the git directory " + git.path + " does not name " + root +
                     " as its tree, so it is not writable";
    }
    return git;
}

}  // namespace launch
