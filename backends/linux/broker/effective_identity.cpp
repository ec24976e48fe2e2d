// By raw system calls: the C library's would change all threads.
#include "linux/broker/effective_identity.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "linux/broker/broker.h"
#include "linux/broker/identity.h"

namespace linux_backend {
namespace {

constexpr uid_t keep = static_cast<uid_t>(-1);

bool set_ids(uid_t user, gid_t group, const std::vector<gid_t>& groups) {
    return ::syscall(SYS_setgroups, groups.size(), groups.data()) == 0 &&
           ::syscall(SYS_setresgid, keep, group, keep) == 0 &&
           ::syscall(SYS_setresuid, keep, user, keep) == 0;
}

}  // namespace

EffectiveIdentity::EffectiveIdentity(const Call& call) {
    call.own_identity();
    user_ = ::geteuid();
    group_ = ::getegid();
    if (call.broker().identity_varies.load(std::memory_order_relaxed)) {
        const auto caller = read_identity(call.caller().thread());
        if (!caller || !call.valid()) {
            error_ = caller ? ESRCH : caller.error();
            return;
        }
        if (caller->user != user_ || caller->group != group_) {
            const int count = ::getgroups(0, nullptr);
            groups_.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
            if (::getgroups(count, groups_.data()) < 0) groups_.clear();
            changed_ = true;
            if (!set_ids(caller->user, caller->group, caller->groups)) error_ = EACCES;
            return;
        }
    }
    if (auto assumed = call.assume_identity(); !assumed) error_ = assumed.error();
}

EffectiveIdentity::~EffectiveIdentity() {
    if (!changed_) return;
    // The user first: with it comes the right to set the others. A thread that cannot go back must
    // not go on.
    if (::syscall(SYS_setresuid, keep, user_, keep) != 0 || !set_ids(user_, group_, groups_))
        std::abort();
}

}  // namespace linux_backend
