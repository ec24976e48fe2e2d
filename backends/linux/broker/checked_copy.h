// Reading a file's content once, and putting a copy in its place that nobody else can hold open.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>

#include "linux/broker/caller.h"

namespace linux_backend {

/// A regular file as it was read once.
struct Content {
    std::string text;
    struct stat status = {};
};

/// Reads `name` in the directory `parent`; a symbolic link is not followed. EINVAL for what is no
/// regular file, EFBIG when it is longer than `limit` bytes. Never blocks on a FIFO or device.
OrErrno<Content> read_content(int parent, const std::string& name, std::size_t limit);

/// The same from an open file, from its start.
OrErrno<Content> read_content(int file, std::size_t limit);

/// Puts a new file with the text, permissions and, where allowed, owner of `content` at `name`, in
/// one step. `flags` are renameat2(2)'s. Runs with the identity of the thread.
OrErrno<void> install_copy(int parent, const std::string& name, const Content& content,
                           unsigned flags = 0);

}  // namespace linux_backend
