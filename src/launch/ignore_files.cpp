// Whether ignore files are in use in a workspace.
#include "launch/ignore_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "launch/ignore_cache.h"
#include "os/fd.h"

namespace launch {
namespace {

constexpr std::array<std::string_view, 2> ignore_names = {".sbxignore", ".cursorignore"};
/// What the names have in common at their ends, with the NUL that ends each path in an index.
constexpr std::string_view common_ending{"ignore\0", 7};
constexpr std::size_t longest_name = 13;
constexpr off_t largest_index = 64 << 20;
constexpr std::size_t chunk = 256 << 10;
constexpr off_t worth_remembering = 128 << 10;
/// "DIRC", version and number of entries, each of four bytes.
constexpr std::size_t header_size = 12;

bool present(const std::string& path) {
    struct stat status;
    return lstat(path.c_str(), &status) == 0;
}

/// Whether one of the names stands in `bytes` as the end of a path.
bool names_ignore_file(std::string_view bytes) {
    std::size_t from = 0;
    while (from < bytes.size()) {
        const void* found = memmem(bytes.data() + from, bytes.size() - from, common_ending.data(),
                                   common_ending.size());
        if (!found) return false;
        const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
        const std::string_view head = bytes.substr(0, at + common_ending.size() - 1);
        for (const std::string_view name : ignore_names) {
            if (head.ends_with(name)) return true;
        }
        from = at + common_ending.size();
    }
    return false;
}

bool has_shared_index(const std::string& git_directory) {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(git_directory.c_str()), closedir);
    if (!directory) return true;
    while (const dirent* entry = readdir(directory.get())) {
        if (std::string_view(entry->d_name).starts_with("sharedindex.")) return true;
    }
    return false;
}

/// Reads in chunks that overlap by a name's length. A file that another process truncates meanwhile
/// cannot hurt, as it would if it were mapped.
bool index_names_ignore_file(int index) {
    constexpr std::size_t overlap = longest_name + 1;
    std::vector<char> buffer(overlap + chunk);
    std::size_t kept = 0;
    for (off_t offset = 0; offset < largest_index;) {
        const ssize_t got = pread(index, buffer.data() + kept, chunk, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return true;
        if (got == 0) return false;
        offset += got;
        const std::string_view bytes(buffer.data(), kept + static_cast<std::size_t>(got));
        if (names_ignore_file(bytes)) return true;
        const std::size_t keep = std::min(overlap, bytes.size());
        std::memmove(buffer.data(), bytes.data() + bytes.size() - keep, keep);
        kept = keep;
    }
    return true;
}

bool read_index(int index, const std::string& git_directory) {
    std::array<unsigned char, header_size> header;
    if (pread(index, header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
        return true;
    const bool plain_names =
        std::memcmp(header.data(), "DIRC\0\0\0", 7) == 0 && (header[7] == 2 || header[7] == 3);
    return !plain_names || has_shared_index(git_directory) || index_names_ignore_file(index);
}

bool index_may_name_ignore_file(const std::string& git_directory, const std::string& cache) {
    const os::Fd index(
        open((git_directory + "/index").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    if (!index) return errno != ENOENT && errno != ENOTDIR;
    struct stat status;
    if (fstat(index.get(), &status) != 0 || !S_ISREG(status.st_mode)) return true;
    if (status.st_size < static_cast<off_t>(header_size)) return false;
    if (status.st_size > largest_index) return true;
    if (status.st_size < worth_remembering) return read_index(index.get(), git_directory);
    const IgnoreCache memory(cache, git_directory);
    if (const auto known = memory.recall(status)) return *known;
    const bool answer = read_index(index.get(), git_directory);
    memory.remember(status, answer);
    return answer;
}

}  // namespace

bool has_ignore_files(const std::string& workspace, const std::string& git_directory,
                      const std::string& cache) {
    if (workspace.empty()) return false;
    for (const std::string_view name : ignore_names) {
        if (present(workspace + "/" + std::string(name))) return true;
    }
    return !git_directory.empty() && index_may_name_ignore_file(git_directory, cache);
}

}  // namespace launch
