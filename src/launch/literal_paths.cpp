// Resolves many literal paths of the same few directories with few system calls.
#include "launch/literal_paths.h"

#include <dirent.h>
#include <sys/stat.h>

#include <cstdint>
#include <optional>

#include "launch/canonical.h"

namespace launch {
namespace {

/// Reading a directory costs as much as looking for this many names in it.
constexpr unsigned list_from = 8;
constexpr unsigned longest_list = 4000;

/// A hash of `name` in lower case, as some file systems find names in any case; nothing when it is
/// not all ASCII.
std::optional<std::uint32_t> folded_hash(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (const char byte : name) {
        if (static_cast<unsigned char>(byte) >= 0x80) return std::nullopt;
        const char lower = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte;
        hash = (hash ^ static_cast<unsigned char>(lower)) * 16777619u;
    }
    return hash ^ (hash >> 15);
}

std::string joined(const std::string& directory, std::string_view name) {
    std::string path;
    path.reserve(directory.size() + 1 + name.size());
    path = directory;
    if (path.back() != '/') path += '/';
    return path += name;
}

}  // namespace

void LiteralPaths::list(Directory& directory) {
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(directory.canonical.c_str()),
                                                     closedir);
    if (!stream) return;
    auto names = std::make_unique<Names>();
    unsigned count = 0;
    while (const dirent* entry = readdir(stream.get())) {
        if (++count > longest_list) return;
        if (const auto hash = folded_hash(entry->d_name)) names->set(*hash % names->size());
    }
    directory.names = std::move(names);
}

/// False is a promise, true is not.
bool LiteralPaths::may_hold(Directory& directory, std::string_view name) {
    if (!directory.exists) return false;
    if (++directory.asked == list_from) list(directory);
    if (!directory.names) return true;
    const auto hash = folded_hash(name);
    return !hash || directory.names->test(*hash % directory.names->size());
}

LiteralPaths::Directory LiteralPaths::look(std::string_view path) {
    const auto slash = path.rfind('/');
    if (path.size() == 1 || slash == std::string_view::npos)
        return {std::string(path), true, 0, nullptr};
    Directory& parent = directory(slash == 0 ? "/" : path.substr(0, slash)).second;
    const std::string_view name = path.substr(slash + 1);
    Directory found = {joined(parent.canonical, name), false, 0, nullptr};
    struct stat status;
    if (!may_hold(parent, name) || lstat(found.canonical.c_str(), &status) != 0) return found;
    if (S_ISLNK(status.st_mode)) {
        found.canonical = canonical(found.canonical).value_or(found.canonical);
        if (stat(found.canonical.c_str(), &status) != 0) return found;
    }
    found.exists = S_ISDIR(status.st_mode);
    return found;
}

LiteralPaths::Directories::value_type& LiteralPaths::directory(std::string_view path) {
    const auto known = directories_.find(path);
    return known != directories_.end() ? *known : *directories_.emplace(path, look(path)).first;
}

policy::Surroundings::Resolved LiteralPaths::resolve(const std::string& path) {
    policy::Surroundings::Resolved resolved;
    const auto slash = path.rfind('/');
    if (slash == std::string::npos || path.size() == 1) return resolved;
    const std::string_view parent_path = slash == 0 ? "/" : std::string_view(path).substr(0, slash);
    if (last_ == nullptr || last_->first != parent_path) last_ = &directory(parent_path);
    Directory& parent = last_->second;
    const std::string_view name = std::string_view(path).substr(slash + 1);
    const bool may_be_there = may_hold(parent, name);
    if (!may_be_there && parent.canonical == parent_path) return resolved;
    std::string final_path = joined(parent.canonical, name);
    struct stat status;
    bool present = may_be_there && lstat(final_path.c_str(), &status) == 0;
    if (present && S_ISLNK(status.st_mode)) {
        final_path = canonical(final_path).value_or(final_path);
        present = lstat(final_path.c_str(), &status) == 0;
    }
    if (present) resolved.id = {status.st_dev, status.st_ino};
    if (final_path != path) resolved.target = std::move(final_path);
    return resolved;
}

}  // namespace launch
