// One notified system call being served: its arguments, its caller, and the services of the broker.
#pragma once

#include <linux/seccomp.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "linux/broker/caller.h"
#include "linux/broker/notification.h"
#include "linux/broker/resolve.h"
#include "linux/syscalls.h"
#include "policy/policy.h"
#include "report/denial.h"

namespace linux_backend {

class Broker;

/// What a refusal says beside the decision: the verb of the report, and what `elevate` would have
/// to be given.
struct Attempt {
    policy::Access access;
    std::string operation;           ///< "write to", "create directory", "connect to".
    std::string object;              ///< As shown: a path, an endpoint, "process 12 (sshd)".
    std::vector<std::string> grant;  ///< {"--write", path}; empty when nothing can be granted.
};

/// Handlers take a Call and return an Answer. A Call lives on one thread, for the length of one
/// notification.
class Call {
  public:
    /// `seen`, when given, gets all that is looked at of the call.
    Call(Broker& broker, const seccomp_notif& notification, const SyscallRow& row,
         Seen* seen = nullptr);

    const SyscallRow& row() const { return row_; }
    const Caller& caller() const { return caller_; }
    Broker& broker() const { return broker_; }
    std::uint64_t id() const { return notification_.id; }

    std::uint64_t argument(int index) const {
        if (seen_ != nullptr) seen_->arguments |= 1U << index;
        return notification_.data.args[index];
    }
    int int_argument(int index) const { return static_cast<int>(argument(index)); }

    /// Reads the path argument at `index`.
    OrErrno<std::string> path_argument(int index) const { return caller_.path(argument(index)); }

    /// Whether the caller still waits in this very call: false means that memory or /proc may have
    /// been another's.
    bool valid() const;

    /// Decides on a path object; nothing when allowed, else the recorded refusal to return
    /// (EACCES). `operation` is the report's verb phrase ("write to", "create", "rename from").
    std::optional<Answer> refused(policy::Access access, const std::string& path,
                                  policy::FileId object_id, const std::string& operation) const;

    /// What a refusal would record, to be recorded later or not at all. Goes back to our own
    /// identity.
    report::Denial describe(const policy::Decision& decision, Attempt attempt,
                            int error_number) const;

    /// Records a refusal that was decided elsewhere, and returns the answer for it.
    Answer refuse(const policy::Decision& decision, Attempt attempt, int error_number) const;

    /// Records a refusal by the floor that was not seen but follows from what is known
    /// (Denial::likely).
    void refuse_likely(const policy::Decision& decision, Attempt attempt) const;

    /// Takes on the caller's umask, file-system ids, groups and capabilities for the operations
    /// that follow on this thread. Cheap as long as nobody inside ever changed any of them. ESRCH
    /// when the caller is gone. The resolve functions do it, so handlers need it only after they
    /// went back to our own identity.
    OrErrno<void> assume_identity() const;
    /// Goes back to the broker's identity, which alone may look into the caller.
    void own_identity() const;

    /// Runs `work` on a thread of its own and answers with what it returns; for operations that may
    /// block (FIFO, connect). It is interrupted (EINTR) when the caller goes away or has a signal
    /// to handle or to stop for; the call is then restarted or fails with EINTR as natively.
    /// Returns Answer::later().
    Answer on_own_thread(std::function<Answer()> work) const;

  private:
    void record(const policy::Decision& decision, Attempt attempt, int error_number,
                bool likely) const;

    Broker& broker_;
    const seccomp_notif& notification_;
    const SyscallRow& row_;
    Caller caller_;
    Seen* seen_;
};

}  // namespace linux_backend
