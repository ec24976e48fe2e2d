// Finds the real shell.
#include "launch/interpreter.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>

#include "os/fd.h"

namespace launch {
namespace {

using core::Error;
using core::fail;

constexpr std::string_view remedy =
    "install it, or name another shell with --sbx-interpreter, SBXSH_INTERPRETER or, in the user's "
    "policy, "
    "[shell] interpreter";

bool same_content(const char* first_path, const char* second_path) {
    const os::Fd first(open(first_path, O_RDONLY | O_CLOEXEC));
    const os::Fd second(open(second_path, O_RDONLY | O_CLOEXEC));
    if (!first || !second) return false;
    std::array<char, 65536> first_part, second_part;
    for (off_t offset = 0;;) {
        const ssize_t length = pread(first.get(), first_part.data(), first_part.size(), offset);
        if (length < 0 ||
            pread(second.get(), second_part.data(), second_part.size(), offset) != length)
            return false;
        if (length == 0) return true;
        if (std::memcmp(first_part.data(), second_part.data(), static_cast<std::size_t>(length)) !=
            0)
            return false;
        offset += length;
    }
}

/// Knows our own file by identity and content.
class OwnExecutable {
  public:
    explicit OwnExecutable(const std::string& path) : path_(path) {
        known_ = stat(path.c_str(), &status_) == 0;
    }

    bool is(const std::string& path, const struct stat& status) const {
        if (!known_) return false;
        if (status.st_dev == status_.st_dev && status.st_ino == status_.st_ino) return true;
        return status.st_size == status_.st_size && same_content(path_.c_str(), path.c_str());
    }

  private:
    const std::string& path_;
    struct stat status_ = {};
    bool known_ = false;
};

enum class Verdict { usable, absent, not_executable, ourselves };

Verdict judge(const std::string& path, const OwnExecutable& own) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return Verdict::absent;
    if (!S_ISREG(status.st_mode) || faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) != 0) {
        return Verdict::not_executable;
    }
    return own.is(path, status) ? Verdict::ourselves : Verdict::usable;
}

Error missing(std::string_view wanted, std::string detail) {
    return Error{"run the shell", std::string(wanted), 0, std::move(detail), std::string(remedy)};
}

core::Result<std::string> take_path(std::string_view wanted, const OwnExecutable& own) {
    std::string path(wanted);
    if (path[0] != '/') {
        char directory[PATH_MAX];
        if (!getcwd(directory, sizeof directory)) {
            return fail(
                missing(wanted, "the path is relative, and the current directory cannot be found"));
        }
        path = std::string(directory) + "/" + path;
    }
    switch (judge(path, own)) {
        case Verdict::usable:
            return path;
        case Verdict::absent:
            return fail(missing(wanted, std::strerror(errno)));
        case Verdict::not_executable:
            return fail(missing(wanted, "it is not an executable file"));
        case Verdict::ourselves:
            break;
    }
    return fail(missing(wanted, "this is sbxsh itself"));
}

/// Absolute directories of PATH, in order.
std::vector<std::string> path_directories(const Environment& environment) {
    std::vector<std::string> directories;
    std::string_view rest = find(environment, "PATH").value_or("");
    while (!rest.empty()) {
        const auto colon = rest.find(':');
        const std::string_view directory = rest.substr(0, colon);
        if (directory.starts_with('/')) directories.emplace_back(directory);
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
    return directories;
}

std::optional<std::string> find_in(const std::vector<std::string>& directories,
                                   std::string_view wanted, const OwnExecutable& own) {
    for (const std::string& directory : directories) {
        std::string path = directory + "/" + std::string(wanted);
        if (judge(path, own) == Verdict::usable) return path;
    }
    return std::nullopt;
}

}  // namespace

core::Result<std::string> find_interpreter(std::string_view wanted, const Environment& environment,
                                           const InterpreterSearch& search) {
    const OwnExecutable own(search.own_executable);
    if (wanted.empty()) return fail(missing("''", "its name is empty"));
    if (wanted.find('/') != std::string_view::npos) return take_path(wanted, own);
    if (auto found = find_in(search.directories, wanted, own)) return *std::move(found);
    if (auto found = find_in(path_directories(environment), wanted, own)) return *std::move(found);
    std::string places;
    for (const std::string& directory : search.directories) places += directory + ", ";
    return fail(missing(wanted, "no such program in " + places + "nor in PATH"));
}

}  // namespace launch
