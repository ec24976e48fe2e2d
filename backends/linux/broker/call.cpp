// Decisions, refusals and identity for one call.
#include "linux/broker/call.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/identity.h"
#include "linux/broker/portrait.h"

namespace linux_backend {
namespace {

/// What a reader should know beside the rule: that the refusal is not the sandbox's alone.
std::string permission_note(const Attempt& attempt) {
    const bool write = attempt.access == policy::Access::write;
    if ((!write && attempt.access != policy::Access::read) || attempt.object.empty() ||
        attempt.object[0] != '/')
        return {};
    if (::faccessat(AT_FDCWD, attempt.object.c_str(), write ? W_OK : R_OK, AT_EACCESS) == 0 ||
        errno != EACCES)
        return {};
    return "the permissions of the file would refuse it as well";
}

/// What would pass instead, where the rule refuses only one way.
std::string inspection_note(const policy::Decision& decision) {
    if (decision.rule->inspection != policy::Inspection::git_config || !decision.detail.empty())
        return {};
    return "git itself may write it (git clone, git config) as long as it names nothing to run";
}

}  // namespace

Call::Call(Broker& broker, const seccomp_notif& notification, const SyscallRow& row, Seen* seen)
    : broker_(broker),
      notification_(notification),
      row_(row),
      caller_(static_cast<pid_t>(notification.pid), seen),
      seen_(seen) {}

bool Call::valid() const {
    return broker_.listener().valid(notification_.id);
}

std::optional<Answer> Call::refused(policy::Access access, const std::string& path,
                                    policy::FileId object_id, const std::string& operation) const {
    const policy::Decision decision =
        broker_.policy().decide(access, path, object_id, broker_.tree());
    if (decision.allowed()) return std::nullopt;
    const char* option = access == policy::Access::write ? "--write" : "--read";
    return refuse(decision, Attempt{access, operation, path, {option, path}}, EACCES);
}

Answer Call::refuse(const policy::Decision& decision, Attempt attempt, int error_number) const {
    record(decision, std::move(attempt), error_number, false);
    return Answer::error(error_number);
}

void Call::refuse_likely(const policy::Decision& decision, Attempt attempt) const {
    record(decision, std::move(attempt), EACCES, true);
}

void Call::record(const policy::Decision& decision, Attempt attempt, int error_number,
                  bool likely) const {
    report::Denial denial = describe(decision, std::move(attempt), error_number);
    denial.likely = likely;
    broker_.denials().add(std::move(denial));
}

report::Denial Call::describe(const policy::Decision& decision, Attempt attempt,
                              int error_number) const {
    report::Denial denial;
    denial.access = policy::name(attempt.access);
    denial.note = permission_note(attempt);
    if (denial.note.empty()) denial.note = inspection_note(decision);
    denial.operation = std::move(attempt.operation);
    denial.object = std::move(attempt.object);
    denial.grant = std::move(attempt.grant);
    denial.call = row_.name;
    denial.error = error_number;
    denial.rule = decision.rule->id;
    denial.origin = decision.rule->origin.text();
    denial.reason = decision.rule->reason;
    denial.detail = decision.detail;
    own_identity();
    draw(caller_, broker_.start(), denial);
    return denial;
}

OrErrno<void> Call::assume_identity() const {
    if (!broker_.identity_varies.load(std::memory_order_relaxed) &&
        !broker_.umask_varies.load(std::memory_order_relaxed))
        return {};
    auto identity = read_identity(caller_.thread());
    if (!identity) return failed(identity.error());
    return assume(*identity);
}

void Call::own_identity() const {
    restore_own_identity();
}

Answer Call::on_own_thread(std::function<Answer()> work) const {
    broker_.run_apart(notification_.id, caller_.thread(), std::move(work));
    return Answer::later();
}

}  // namespace linux_backend
