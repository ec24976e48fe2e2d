// Which signals went to the caller's whole process group, and not to the front alone: siginfo does
// not tell.
#pragma once

#include <sys/signalfd.h>
#include <sys/types.h>

#include <chrono>
#include <map>

#include "os/fd.h"

namespace linux_backend {

/// The witness's end: a process in the caller's group that blocks every signal, takes those that
/// come, and tells of them over `front`, a SOCK_SEQPACKET socket, until that is closed. A signal to
/// the group comes to its newer members first, so that the front, which is older, finds the witness
/// informed.
class Testimony {
  public:
    explicit Testimony(os::Fd front);

    /// To be polled for input, which `answer` takes.
    int descriptor() const { return front_.get(); }
    /// Tells of a signal.
    void tell(const signalfd_siginfo& signal);
    /// Takes a question of the front. To be answered (`confirm`) when all pending signals are told.
    /// False when nobody asks any more.
    bool listen();
    void confirm();

  private:
    os::Fd front_;
    int question_ = 0;
};

/// Signals that the witness told of and that the front has not met yet.
class Sightings {
  public:
    using Time = std::chrono::steady_clock::time_point;

    void add(int signal, Time now);
    /// Whether `signal` of the front's own was sent to the group; uses up one sighting.
    bool claim(int signal);
    /// Forgets what is left of signals that were claimed, since those below 32 merge while they are
    /// pending with one process sooner than with another; and what the front has not met for long:
    /// that went to the witness alone, as from one who signals each process of a tree.
    void end_turn(Time now);

  private:
    struct Seen {
        unsigned count = 0;
        bool claimed = false;
        Time last;
    };
    std::map<int, Seen> seen_;
};

/// The front's end.
class Witness {
  public:
    Witness() = default;
    explicit Witness(os::Fd socket) : socket_(std::move(socket)) {}

    /// To be polled for input, which `listen` takes; -1 when there is no witness.
    int descriptor() const { return socket_.get(); }
    void listen();
    /// Waits until all that the witness got so far is in `sightings`. False when there is no
    /// witness (any more), or it does not answer.
    bool ask();
    /// Tells the witness that no more is needed, and waits until it has left the group.
    void dismiss();
    Sightings& sightings() { return sightings_; }

  private:
    enum class Heard : unsigned char { nothing, news, answer, end };
    Heard receive();
    bool wait();

    os::Fd socket_;
    pid_t pid_ = 0;
    int question_ = 0;
    Sightings sightings_;
};

}  // namespace linux_backend
