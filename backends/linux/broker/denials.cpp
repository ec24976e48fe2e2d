// The session's refusals.
#include "linux/broker/denials.h"

#include <algorithm>
#include <utility>

#include "policy/access.h"

namespace linux_backend {
namespace {

/// Whether the end of `pid` with a failure is one that `denial` may have caused. Calls that reach
/// past the sandbox are tried by programs that can do without, in processes of their own as well
/// (ldd runs the loaders of all architectures): there the program that the command line started
/// has to fail.
bool concerns(const report::Denial& denial, pid_t pid) {
    if (denial.access == policy::name(policy::Access::kernel))
        return pid == (denial.between.empty() ? denial.process : denial.between.back()).pid;
    return denial.process.pid == pid ||
           std::any_of(denial.between.begin(), denial.between.end(),
                       [&](const report::Process& process) { return process.pid == pid; });
}

bool same(const report::Denial& a, const report::Denial& b) {
    return a.process.pid == b.process.pid && a.rule == b.rule && a.object == b.object &&
           a.operation == b.operation && a.detail == b.detail;
}

}  // namespace

void Denials::add(report::Denial denial) {
    {
        const std::scoped_lock hold(lock_);
        if (std::any_of(denials_.begin(), denials_.end(),
                        [&](const auto& known) { return same(known, denial); }))
            return;
        if (denials_.size() >= limit) {
            ++dropped_;
            return;
        }
        denial.sequence = denials_.size() + 1;
        denials_.push_back(denial);
    }
    if (on_new_) on_new_(denial);
}

bool Denials::has(pid_t pid, const std::string& object) const {
    const std::scoped_lock hold(lock_);
    return std::any_of(denials_.begin(), denials_.end(), [&](const report::Denial& denial) {
        return denial.process.pid == pid && denial.object == object;
    });
}

void Denials::process_failed(pid_t pid) {
    const std::scoped_lock hold(lock_);
    for (report::Denial& denial : denials_) {
        if (concerns(denial, pid)) denial.failed = true;
    }
}

std::vector<report::Denial> Denials::all() const {
    const std::scoped_lock hold(lock_);
    return denials_;
}

unsigned long Denials::dropped() const {
    const std::scoped_lock hold(lock_);
    return dropped_;
}

bool Denials::empty() const {
    const std::scoped_lock hold(lock_);
    return denials_.empty();
}

}  // namespace linux_backend
