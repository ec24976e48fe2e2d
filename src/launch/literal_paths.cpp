// Resolves many literal paths of the same few directories with few system calls.
#include "launch/literal_paths.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "launch/canonical.h"

namespace launch {
namespace {

/// Reading a directory costs as much as looking for this many names in it.
constexpr unsigned list_from = 6;
constexpr std::size_t longest_list = 2000;

/// `name` in lower case; nothing when it is not all ASCII. Some file systems find names in any
/// case.
std::optional<std::string> folded(std::string_view name) {
    std::string text(name);
    for (char& byte : text) {
        if (static_cast<unsigned char>(byte) >= 0x80) return std::nullopt;
        if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
    }
    return text;
}

std::string joined(const std::string& directory, std::string_view name) {
    std::string path = directory;
    if (path.back() != '/') path += '/';
    return path += name;
}

}  // namespace

void LiteralPaths::list(Directory& directory) {
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(directory.canonical.c_str()),
                                                     closedir);
    if (!stream) return;
    while (const dirent* entry = readdir(stream.get())) {
        if (directory.names.size() == longest_list) return;
        if (auto name = folded(entry->d_name)) directory.names.insert(*std::move(name));
    }
    directory.listed = true;
}

/// False is a promise, true is not.
bool LiteralPaths::may_hold(Directory& directory, std::string_view name) {
    if (!directory.exists) return false;
    if (++directory.asked == list_from) list(directory);
    if (!directory.listed) return true;
    const auto key = folded(name);
    return !key || directory.names.contains(*key);
}

LiteralPaths::Directory& LiteralPaths::directory(const std::string& path) {
    const auto known = directories_.find(path);
    if (known != directories_.end()) return known->second;
    Directory found;
    if (const auto slash = path.rfind('/'); path.size() == 1 || slash == std::string::npos) {
        found = {path, true, false, 0, {}};
    } else {
        Directory& parent = directory(slash == 0 ? "/" : path.substr(0, slash));
        const std::string_view name = std::string_view(path).substr(slash + 1);
        found.canonical = joined(parent.canonical, name);
        struct stat status;
        if (may_hold(parent, name) && lstat(found.canonical.c_str(), &status) == 0) {
            if (S_ISLNK(status.st_mode)) {
                found.canonical = canonical(found.canonical).value_or(found.canonical);
                found.exists = stat(found.canonical.c_str(), &status) == 0;
            } else {
                found.exists = S_ISDIR(status.st_mode);
            }
        }
    }
    return directories_.emplace(path, std::move(found)).first->second;
}

policy::Surroundings::Resolved LiteralPaths::resolve(const std::string& path) {
    policy::Surroundings::Resolved resolved;
    const auto slash = path.rfind('/');
    if (slash == std::string::npos || path.size() == 1) return resolved;
    Directory& parent = directory(slash == 0 ? "/" : path.substr(0, slash));
    const std::string_view name = std::string_view(path).substr(slash + 1);
    std::string final_path = joined(parent.canonical, name);
    struct stat status;
    bool present = may_hold(parent, name) && lstat(final_path.c_str(), &status) == 0;
    if (present && S_ISLNK(status.st_mode)) {
        final_path = canonical(final_path).value_or(final_path);
        present = lstat(final_path.c_str(), &status) == 0;
    }
    if (present) resolved.id = {status.st_dev, status.st_ino};
    if (final_path != path) resolved.target = std::move(final_path);
    return resolved;
}

}  // namespace launch
