// One of the two that are compared: a directory, and the process that performs sequences there.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "os/fd.h"

namespace differential {

/// What a sequence came to on one side.
struct Record {
    std::vector<std::string> results;  ///< One for each line, then the descriptors left.
    std::string tree;
    bool operator==(const Record&) const = default;
};

class Side {
  public:
    /// Starts `command`, which has to run serve() for `top`, in that directory.
    Side(std::string top, std::vector<std::string> command);
    ~Side();
    Side(const Side&) = delete;
    Side& operator=(const Side&) = delete;

    /// What the process said of itself when it started; nothing when it did not start.
    const std::optional<std::string>& greeting() const { return greeting_; }

    /// Performs the lines in a new tree, which is removed afterwards. Nothing when no answer comes
    /// within a minute: then something hangs, and the side cannot be used any more.
    std::optional<Record> run(const std::vector<std::string>& lines);

  private:
    std::optional<std::string> receive();

    std::string top_;
    pid_t process_ = -1;
    os::Fd requests_;
    os::Fd answers_;
    std::optional<std::string> greeting_;
};

}  // namespace differential
