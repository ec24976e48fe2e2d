// The audit log.
#include "audit/log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "audit/tail.h"

namespace audit {
namespace {

constexpr int kept = 3;
constexpr std::size_t read_limit = 16 << 20;

std::string rotated(const std::string& directory, int number) {
    return directory + "/audit." + std::to_string(number) + ".jsonl";
}

std::string current(const std::string& directory) {
    return directory + "/audit.jsonl";
}

core::Error unwritable(const std::string& directory, int code, std::string detail) {
    return core::Error{
        "write the audit log", current(directory), code, std::move(detail),
        "the command is not affected; free space, or make the state directory writable"};
}

}  // namespace

core::Result<void> Log::append(std::string_view line) {
    if (!file_) {
        if (auto opened = open(); !opened) return opened;
    }
    if (rotation_due()) {
        rotate();
        if (auto opened = open(); !opened) return opened;
    }
    std::string text(torn_ ? "\n" : "");
    text += line;
    ssize_t written;
    do {
        written = write(file_.get(), text.data(), text.size());
    } while (written < 0 && errno == EINTR);
    if (written < 0) return core::fail(unwritable(directory_, errno, {}));
    torn_ = static_cast<std::size_t>(written) != text.size();
    if (torn_) return core::fail(unwritable(directory_, ENOSPC, {}));
    return {};
}

core::Result<void> Log::open() {
    const std::string path = current(directory_);
    file_.reset(::open(path.c_str(),
                       O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    struct stat status;
    if (!file_ || fstat(file_.get(), &status) != 0)
        return core::fail(unwritable(directory_, errno, {}));
    if (!S_ISREG(status.st_mode)) {
        file_.reset();
        return core::fail(unwritable(directory_, 0, "it is not a regular file"));
    }
    if ((status.st_mode & 077) != 0) (void)fchmod(file_.get(), 0600);
    char last = '\n';
    if (status.st_size > 0 && pread(file_.get(), &last, 1, status.st_size - 1) != 1) last = '\n';
    torn_ = last != '\n';
    return {};
}

bool Log::rotation_due() const {
    struct stat status;
    return fstat(file_.get(), &status) == 0 &&
           static_cast<std::size_t>(status.st_size) >= rotate_at_;
}

void Log::rotate() {
    const os::Fd lock(::open((directory_ + "/audit.lock").c_str(),
                             O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    // Whoever holds the lock is rotating: this record may go to either file.
    if (!lock || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
    struct stat ours, present;
    if (fstat(file_.get(), &ours) != 0 || stat(current(directory_).c_str(), &present) != 0) return;
    const bool already_done = ours.st_dev != present.st_dev || ours.st_ino != present.st_ino;
    if (already_done) return;
    for (int number = kept; number > 1; --number) {
        (void)std::rename(rotated(directory_, number - 1).c_str(),
                          rotated(directory_, number).c_str());
    }
    (void)std::rename(current(directory_).c_str(), rotated(directory_, 1).c_str());
}

std::vector<std::string> log_files(const std::string& directory) {
    std::vector<std::string> files;
    for (int number = kept; number > 0; --number) files.push_back(rotated(directory, number));
    files.push_back(current(directory));
    return files;
}

std::vector<std::string> read_lines(const std::string& directory) {
    std::vector<std::string> lines;
    for (const std::string& file : log_files(directory)) {
        const std::string text = read_tail(file, read_limit);
        std::string_view rest = text;
        while (!rest.empty()) {
            const auto newline = rest.find('\n');
            const std::string_view line = rest.substr(0, newline);
            rest =
                newline == std::string_view::npos ? std::string_view() : rest.substr(newline + 1);
            if (!line.empty()) lines.emplace_back(line);
        }
    }
    return lines;
}

}  // namespace audit
