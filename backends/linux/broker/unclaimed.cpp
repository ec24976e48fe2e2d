// One kept result for each thread.
#include "linux/broker/unclaimed.h"

#include <utility>

namespace linux_backend {
namespace {

constexpr std::size_t limit = 1024;
/// A restart comes as soon as the signal's handler has returned.
constexpr std::chrono::milliseconds moment{100};

/// Registers that are no argument of the call may differ.
bool same_request(const seccomp_data& one, const seccomp_data& other, unsigned arguments) {
    bool same = one.nr == other.nr && one.arch == other.arch;
    for (int index = 0; index < 6; ++index)
        same = same && ((arguments & 1U << index) == 0 || one.args[index] == other.args[index]);
    return same;
}

}  // namespace

std::optional<Unclaimed::Result> Unclaimed::begin(const seccomp_notif& call) {
    std::unique_lock hold(lock_);
    ended_.wait(hold, [&] { return !served_.contains(call.pid); });
    served_.insert(call.pid);
    auto kept = kept_.extract(call.pid);
    hold.unlock();
    if (kept.empty()) return std::nullopt;
    Result& result = kept.mapped().result;
    if (!same_request(kept.mapped().call, call.data, result.seen.arguments)) return std::nullopt;
    const bool recent = std::chrono::steady_clock::now() - kept.mapped().since < moment;
    if (!recent && !result.left) return std::nullopt;
    if (!still_reads(static_cast<pid_t>(call.pid), result.seen)) return std::nullopt;
    return std::move(result);
}

void Unclaimed::end(const seccomp_notif& call, std::optional<Result> result) {
    const std::scoped_lock hold(lock_);
    if (result) {
        if (kept_.size() >= limit) kept_.clear();
        kept_.insert_or_assign(
            call.pid, Kept{call.data, *std::move(result), std::chrono::steady_clock::now()});
    }
    served_.erase(call.pid);
    ended_.notify_all();
}

}  // namespace linux_backend
