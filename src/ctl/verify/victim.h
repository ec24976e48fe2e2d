// A process outside the sandbox that attempts aim at.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "core/result.h"
#include "os/fd.h"

namespace ctl::verify {

/// Holds every signal that can be held, lets itself be traced by everybody where Yama is asked,
/// leads a process group, and ends with its owner. Not to be moved.
class Victim {
  public:
    /// `secret` is put where only a look into the process's memory finds it.
    static core::Result<std::shared_ptr<Victim>> start(const std::string& secret);
    Victim(const Victim&) = delete;
    Victim& operator=(const Victim&) = delete;
    ~Victim();

    pid_t pid() const { return pid_; }
    /// The memory that it shares with us, at the same address there; holds the secret.
    char* memory() const { return memory_; }
    /// The number of its descriptor that writes into our pipe.
    int pipe_number() const { return write_end_.get(); }
    /// What came through that pipe.
    std::string received() const;

  private:
    Victim() = default;

    pid_t pid_ = -1;
    char* memory_ = nullptr;
    os::Fd read_end_, write_end_;
};

/// Runs the program `path` with nothing but `environment` as its environment and standard input
/// that does not end; killed with the pointer.
std::shared_ptr<pid_t> start_waiting_program(const std::string& path,
                                             const std::string& environment);

}  // namespace ctl::verify
