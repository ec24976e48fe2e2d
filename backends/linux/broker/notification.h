// The kernel's side of the conversation: receive a notified system call, answer it.
// Source: seccomp_unotify(2), Documentation/userspace-api/seccomp_filter.rst.
#pragma once

#include <linux/seccomp.h>

#include <cstdint>
#include <functional>
#include <utility>

#include "os/fd.h"

namespace linux_backend {

/// What the broker gives back for one call.
struct Answer {
    enum class Kind : std::uint8_t {
        value,       ///< The call returns `value`.
        error,       ///< The call fails with `error`.
        proceed,     ///< The kernel runs the call as it stands; see the SAFETY comment at each use.
        descriptor,  ///< `descriptor` is put into the caller's table and its number returned.
        later,       ///< Another thread answers; nothing is sent now.
    };
    Kind kind = Kind::error;
    std::int64_t number = 0;
    int error_number = 0;
    os::Fd descriptor_to_install;
    bool close_on_exec = false;
    std::function<void()> undo;  ///< Run when the descriptor could not be installed.

    static Answer value(std::int64_t number) {
        Answer answer;
        answer.kind = Kind::value;
        answer.number = number;
        return answer;
    }
    static Answer error(int code) {
        Answer answer;
        answer.error_number = code;
        return answer;
    }
    static Answer proceed() {
        Answer answer;
        answer.kind = Kind::proceed;
        return answer;
    }
    static Answer later() {
        Answer answer;
        answer.kind = Kind::later;
        return answer;
    }
    static Answer descriptor(os::Fd fd, bool close_on_exec) {
        Answer answer;
        answer.kind = Kind::descriptor;
        answer.descriptor_to_install = std::move(fd);
        answer.close_on_exec = close_on_exec;
        return answer;
    }
    /// From the return value of a system call made on behalf: its value, or errno.
    static Answer of(long result);
};

/// The listener. Thread-safe: the kernel serialises. An interface, so that tests can stand in for
/// the kernel.
class Listener {
  public:
    virtual ~Listener() = default;
    enum class Received : std::uint8_t {
        call,
        nothing,  ///< Interrupted, or the call went away; try again.
        closed,   ///< No process is left that could make a call.
    };
    /// Waits for the next call.
    virtual Received receive(seccomp_notif& notification) = 0;
    /// Whether a call waits to be received; looks for at most that long.
    virtual bool waiting(int milliseconds) = 0;
    /// Whether the call still waits: to be asked after reading the caller's memory or /proc files.
    virtual bool valid(std::uint64_t id) = 0;
    /// Sends an answer. False when nobody waits for it any more: the caller is gone, or a signal
    /// took it out of the call; a descriptor was then not handed over.
    virtual bool send(std::uint64_t id, Answer answer) = 0;
};

/// The real one; takes the descriptor that seccomp(2) returned.
class KernelListener final : public Listener {
  public:
    explicit KernelListener(os::Fd descriptor);
    /// The errno with which this machine refuses one of the operations that a broker needs (a
    /// filter around us may); 0 when all can be used.
    int refused_operation() const;
    Received receive(seccomp_notif& notification) override;
    bool waiting(int milliseconds) override;
    bool valid(std::uint64_t id) override;
    bool send(std::uint64_t id, Answer answer) override;

  private:
    int request(unsigned long operation, void* argument);

    os::Fd descriptor_;
};

}  // namespace linux_backend
