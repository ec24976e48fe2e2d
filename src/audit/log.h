// The audit log: lines appended by many processes at once, in files that are rotated.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "os/fd.h"

namespace audit {

/// The log of one state directory: audit.jsonl, and audit.1.jsonl (the newest) to audit.3.jsonl
/// that were rotated. For one thread; any number of processes may have one.
class Log {
  public:
    /// Makes no system call. `rotate_at` is the size in bytes from which the file is rotated.
    explicit Log(std::string directory, std::size_t rotate_at = 8 << 20)
        : directory_(std::move(directory)), rotate_at_(rotate_at) {}

    /// Appends `line` (its newline included) by one write. An Error, with a remedy, when it could
    /// not be written whole; the caller says so once and goes on.
    core::Result<void> append(std::string_view line);

  private:
    core::Result<void> open();
    bool rotation_due() const;
    void rotate();

    std::string directory_;
    std::size_t rotate_at_;
    os::Fd file_;
    bool torn_ = false;  ///< The last line in the file has no newline: somebody's disk was full.
};

/// Files of the log in `directory`, oldest first; they need not exist.
std::vector<std::string> log_files(const std::string& directory);

/// The lines of the log, oldest first; of each file at most its last 16 MiB. Unreadable files count
/// as empty.
std::vector<std::string> read_lines(const std::string& directory);

}  // namespace audit
