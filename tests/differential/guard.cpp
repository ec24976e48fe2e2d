// The checks.
#include "guard.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "os/fd.h"

namespace differential {
namespace {

constexpr int link_limit = 41;  // One more than the kernel follows.

/// The directory part and the last component of a path that is not empty.
void split(const std::string& path, std::string& directory, std::string& name) {
    std::size_t end = path.size();
    while (end > 1 && path[end - 1] == '/') --end;
    const std::size_t slash = path.rfind('/', end - 1);
    directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    name = path.substr(slash == std::string::npos ? 0 : slash + 1, std::string::npos);
    while (!name.empty() && name.back() == '/') name.pop_back();
    if (name.empty()) name = ".";
}

}  // namespace

std::string Guard::name_of(int descriptor) {
    if (descriptor == AT_FDCWD) {
        char text[PATH_MAX];
        const ssize_t size = ::readlink("/proc/thread-self/cwd", text, sizeof text);
        return size < 0 ? std::string() : std::string(text, static_cast<std::size_t>(size));
    }
    char link[48];
    std::snprintf(link, sizeof link, "/proc/thread-self/fd/%d", descriptor);
    char text[PATH_MAX];
    const ssize_t size = ::readlink(link, text, sizeof text);
    return size < 0 ? std::string() : std::string(text, static_cast<std::size_t>(size));
}

Zone Guard::zone_of(std::string_view name) const {
    if (name.empty() || name.front() != '/' || name.starts_with("/memfd:")) return Zone::anonymous;
    if (name.starts_with(top_)) {
        const std::string_view rest = name.substr(top_.size());
        if (rest.empty()) return Zone::top;
        if (rest.front() == '/') return Zone::tree;
    }
    if (name == "/proc" || name.starts_with("/proc/")) return Zone::process;
    if (name == "/dev/null" || name == "/dev/zero" || name == "/dev/full") return Zone::device;
    return Zone::outside;
}

Reach Guard::reach_of_object(const CallRow& row, Zone zone) {
    if (zone == Zone::outside) return Reach::outside;
    if (zone == Zone::process) return Reach::process;
    if (row.effect == Effect::reads || row.returns == Returns::descriptor) return Reach::tree;
    const bool by_descriptor = row.name == "write" || row.name == "fcntl";
    if (zone == Zone::top || (zone == Zone::device && !by_descriptor)) return Reach::outside;
    return Reach::tree;
}

Reach Guard::reach_of_descriptor(const CallRow& row, int descriptor) const {
    return reach_of_object(row, zone_of(name_of(descriptor)));
}

Reach Guard::reach_of_path(const CallRow& row, int directory, std::string path) const {
    if (path.empty()) return reach_of_descriptor(row, directory);
    os::Fd base;
    Reach reach = Reach::tree;
    for (int links = 0; links < link_limit; ++links) {
        std::string above;
        std::string name;
        split(path, above, name);
        const int from = base ? base.get() : directory;
        const os::Fd object(::openat(from, path.c_str(), O_PATH | O_CLOEXEC));
        if (object) reach = std::max(reach, reach_of_descriptor(row, object.get()));
        os::Fd parent(::openat(from, above.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!parent) return reach;  // The call fails so as well.
        const Zone zone = zone_of(name_of(parent.get()));
        if (zone == Zone::process) reach = std::max(reach, Reach::process);
        // Names could be made or removed there, unless it is an object that is there to be opened.
        const bool only_opens = object && row.returns == Returns::descriptor;
        if (zone == Zone::outside && row.effect == Effect::changes && !only_opens)
            return Reach::outside;
        char text[PATH_MAX];
        const ssize_t size = ::readlinkat(parent.get(), name.c_str(), text, sizeof text);
        if (object || size <= 0) return reach;
        path.assign(text, static_cast<std::size_t>(size));
        base = std::move(parent);
    }
    return reach;
}

Reach Guard::reach_of(const Operation& operation) const {
    const CallRow& row = *operation.row;
    Reach reach = Reach::tree;
    int directory = AT_FDCWD;
    std::size_t next = 0;
    for (const char letter : row.arguments) {
        if (!is_written(letter)) continue;
        const Argument& argument = operation.arguments[next++];
        if (letter == 'd') {
            directory = static_cast<int>(argument.number);
        } else if (letter == 'f') {
            reach = std::max(reach, reach_of_descriptor(row, static_cast<int>(argument.number)));
        } else if (is_path(letter) || letter == 'A') {
            if (argument.kind == Argument::Kind::text)
                reach = std::max(reach, reach_of_path(row, directory, argument.text));
            // utimensat and its like act on the descriptor itself then.
            if (argument.kind == Argument::Kind::null)
                reach = std::max(reach, reach_of_descriptor(row, directory));
            directory = AT_FDCWD;
        }
    }
    return reach;
}

}  // namespace differential
