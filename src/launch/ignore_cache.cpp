// Remembers what a git index says about ignore files.
#include "launch/ignore_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>

#include "core/fingerprint.h"
#include "os/fd.h"
#include "os/tree.h"

namespace launch {
namespace {

constexpr std::size_t record_limit = 256;
/// File times come in steps of the kernel's clock, 10 ms at most.
constexpr std::int64_t settled_nanoseconds = 100'000'000;

std::int64_t nanoseconds(const timespec& time) {
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

/// What a file keeps only as long as nobody changes it.
std::string identity(const struct stat& status) {
    std::string text;
    for (const auto number :
         {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
          static_cast<std::int64_t>(status.st_size), nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)}) {
        text += std::to_string(number) + ' ';
    }
    return text;
}

std::string file_name(const std::string& git_directory) {
    core::Fingerprint print;
    print.add(git_directory);
    return print.text();
}

}  // namespace

IgnoreCache::IgnoreCache(const std::string& directory, const std::string& git_directory)
    : directory_(directory),
      file_(directory.empty() ? "" : directory + "/" + file_name(git_directory)) {}

std::optional<bool> IgnoreCache::recall(const struct stat& index) const {
    if (file_.empty()) return std::nullopt;
    const auto text = os::read_regular_file(file_, record_limit, os::Links::refuse);
    if (!text) return std::nullopt;
    const std::string known = identity(index);
    if (*text == known + "yes\n") return true;
    if (*text == known + "no\n") return false;
    return std::nullopt;
}

void IgnoreCache::remember(const struct stat& index, bool answer) const {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (file_.empty() || nanoseconds(now) - nanoseconds(index.st_ctim) < settled_nanoseconds)
        return;
    (void)mkdir(directory_.c_str(), 0700);
    const os::Fd file(open(
        file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!file) return;
    const std::string text = identity(index) + (answer ? "yes\n" : "no\n");
    // One that is cut short is not recognised.
    [[maybe_unused]] const ssize_t written = write(file.get(), text.data(), text.size());
}

}  // namespace launch
