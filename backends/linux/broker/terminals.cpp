// The nodes that are held.
#include "linux/broker/terminals.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace linux_backend {
namespace {

/// False when it has no name any more.
bool is_linked(const os::Fd& object, struct stat& status) {
    return ::fstat(object.get(), &status) == 0 && status.st_nlink > 0;
}

}  // namespace

void Terminals::inherit(std::vector<os::Fd> objects) {
    const std::scoped_lock hold(lock_);
    for (os::Fd& object : objects) known_.push_back({std::move(object), Origin::inherited});
}

void Terminals::add_other_end(const os::Fd& master) {
    os::Fd object(::ioctl(master.get(), TIOCGPTPEER, O_PATH | O_CLOEXEC));
    if (!object) return;
    const std::scoped_lock hold(lock_);
    std::erase_if(known_, [](const Known& known) {
        struct stat status;
        return !is_linked(known.object, status);
    });
    known_.push_back({std::move(object), Origin::inside});
}

Terminals::Origin Terminals::of(const os::Fd& object) const {
    const std::scoped_lock hold(lock_);
    for (const Known& known : known_) {
        struct stat ours;
        struct stat theirs;
        // Ours is asked first: had it lost its name to another one, `object` would be that one only
        // if it had been resolved later than this.
        if (is_linked(known.object, ours) && is_linked(object, theirs) &&
            ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino)
            return known.origin;
    }
    return Origin::outside;
}

bool Terminals::pass(const policy::Decision& decision, const os::Fd& object) const {
    return lets_own_terminal(decision) && of(object) != Origin::outside;
}

os::Fd Terminals::find(dev_t device) const {
    const std::scoped_lock hold(lock_);
    for (const Known& known : known_) {
        struct stat status;
        if (is_linked(known.object, status) && status.st_rdev == device)
            return os::Fd(::fcntl(known.object.get(), F_DUPFD_CLOEXEC, 0));
    }
    return {};
}

bool lets_own_terminal(const policy::Decision& decision) {
    return decision.allowed() || decision.rule->origin.level == policy::Level::builtin;
}

}  // namespace linux_backend
