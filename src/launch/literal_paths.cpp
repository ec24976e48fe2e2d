// Resolves many literal paths of the same few directories with few system calls.
#include "launch/literal_paths.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "launch/canonical.h"
#include "os/fd.h"

namespace launch {
namespace {

/// Reading a directory costs as much as looking for this many names in it.
constexpr std::size_t list_from = 20;
constexpr std::size_t longest_list = 4000;

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
    path += directory;
    path += '/';
    return path += name;
}

/// The part of `path` before its last slash; empty for the root.
std::string_view parent_of(std::string_view path) {
    return path.substr(0, path.rfind('/'));
}

}  // namespace

std::vector<LiteralPaths::Directory> LiteralPaths::root() {
    std::vector<Directory> directories;
    directories.reserve(8);
    directories.push_back({0, {}, true, nullptr});
    return directories;
}

void LiteralPaths::list(Directory& directory) {
    const std::string& path = directory.canonical;
    const os::Fd opened(
        open(path.empty() ? "/" : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened) return;
    auto names = std::make_unique<Names>();
    std::size_t count = 0;
    alignas(dirent64) char entries[8192];
    for (;;) {
        const ssize_t length = getdents64(opened.get(), entries, sizeof entries);
        if (length < 0) return;
        if (length == 0) break;
        for (ssize_t at = 0; at < length;) {
            const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
            at += entry->d_reclen;
            if (++count > longest_list) return;
            if (const auto hash = folded_hash(entry->d_name)) names->set(*hash % names->size());
        }
    }
    directory.names = std::move(names);
}

/// False is a promise, true is not.
bool LiteralPaths::may_hold(const Directory& directory, std::string_view name) {
    if (!directory.exists) return false;
    if (!directory.names) return true;
    const auto hash = folded_hash(name);
    return !hash || directory.names->test(*hash % directory.names->size());
}

LiteralPaths::Directory LiteralPaths::look(const Directory& parent, std::string_view name) const {
    Directory found = {0, joined(parent.canonical, name), false, nullptr};
    struct stat status;
    if (!may_hold(parent, name) || lstat(found.canonical.c_str(), &status) != 0) return found;
    if (S_ISLNK(status.st_mode)) {
        found.canonical = canonical(found.canonical).value_or(found.canonical);
        if (stat(found.canonical.c_str(), &status) != 0) return found;
        if (found.canonical == "/") found.canonical.clear();
    }
    found.exists = S_ISDIR(status.st_mode);
    return found;
}

LiteralPaths::Directory& LiteralPaths::directory(std::string_view path) {
    if (path == "/") path = {};
    while (directories_.back().length != 0 &&
           !is_within(path, std::string_view(way_).substr(0, directories_.back().length)))
        directories_.pop_back();
    while (directories_.back().length < path.size()) {
        const std::size_t begin = directories_.back().length + 1;
        const std::size_t end = std::min(path.find('/', begin), path.size());
        Directory found = look(directories_.back(), path.substr(begin, end - begin));
        found.length = end;
        directories_.push_back(std::move(found));
    }
    way_ = path;
    return directories_.back();
}

void LiteralPaths::expect(std::string_view path, std::size_t names) {
    if (names < list_from) return;
    Directory& expected = directory(path);
    if (expected.exists && !expected.names) list(expected);
}

policy::Surroundings::Resolved LiteralPaths::resolve(const std::string& path) {
    policy::Surroundings::Resolved resolved;
    if (!path.starts_with('/') || path.size() == 1) return resolved;
    const std::string_view parent_path = parent_of(path);
    const Directory& parent = directory(parent_path);
    const std::string_view name = std::string_view(path).substr(parent_path.size() + 1);
    const bool may_be_there = may_hold(parent, name);
    if (!may_be_there && parent.canonical == parent_path) return resolved;
    std::string final_path = joined(parent.canonical, name);
    struct stat status;
    bool present = may_be_there && lstat(final_path.c_str(), &status) == 0;
    if (present && S_ISLNK(status.st_mode)) {
        final_path = canonical(final_path).value_or(final_path);
        present = lstat(final_path.c_str(), &status) == 0;
    }
    if (present) {
        resolved.id = {status.st_dev, status.st_ino};
        resolved.aliased = S_ISREG(status.st_mode) && status.st_nlink > 1;
    }
    if (final_path != path) resolved.target = std::move(final_path);
    return resolved;
}

}  // namespace launch
