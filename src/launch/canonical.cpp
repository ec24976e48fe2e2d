// Paths without symbolic links.
#include "launch/canonical.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace launch {
namespace {

/// Appends the components of `rest` to the canonical `path`; false when one of them is "..".
bool append(std::string& path, std::string_view rest) {
    while (!rest.empty()) {
        const auto slash = rest.find('/');
        const std::string_view component = rest.substr(0, slash);
        rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
        if (component == "..") return false;
        if (component.empty() || component == ".") continue;
        if (path.back() != '/') path += '/';
        path += component;
    }
    return true;
}

/// What the symbolic link at `path` says, relative to `directory`; empty when it is none.
std::string link_target(const std::string& path, const std::string& directory) {
    char target[PATH_MAX];
    const ssize_t length = readlink(path.c_str(), target, sizeof target);
    if (length <= 0 || length >= static_cast<ssize_t>(sizeof target)) return {};
    const std::string_view text(target, static_cast<std::size_t>(length));
    return text[0] == '/' ? std::string(text) : directory + "/" + std::string(text);
}

std::optional<std::string> resolve(std::string_view path, int links_left) {
    if (!path.starts_with('/')) return std::nullopt;
    std::string existing(path);
    char resolved[PATH_MAX];
    while (!realpath(existing.empty() ? "/" : existing.c_str(), resolved)) {
        const auto slash = existing.rfind('/');
        if (slash == std::string::npos) return std::nullopt;
        existing.resize(slash);
    }
    std::string result = resolved;
    std::string_view rest = path.substr(existing.size());
    rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
    if (const std::string first(rest.substr(0, rest.find('/'))); !first.empty() && links_left > 0) {
        // A link that leads to nothing stands for what it would lead to.
        const std::string target = link_target(result + "/" + first, result);
        if (!target.empty())
            return resolve(target + std::string(rest.substr(first.size())), links_left - 1);
    }
    if (!append(result, rest)) return std::nullopt;
    return result;
}

}  // namespace

std::optional<std::string> canonical(std::string_view path) {
    return resolve(path, 8);
}

bool is_within(std::string_view path, std::string_view directory) {
    if (directory == "/") return path.starts_with('/');
    if (directory.empty() || !path.starts_with(directory)) return false;
    return path.size() == directory.size() || path[directory.size()] == '/';
}

}  // namespace launch
