// The caller's effective ids on a thread of the broker, for objects that remember who made or
// reached them. Source: credentials(7), unix(7) SO_PEERCRED, sysvipc(7).
#pragma once

#include <sys/types.h>

#include <vector>

#include "linux/broker/call.h"

namespace linux_backend {

/// Call::assume_identity changes the ids that file access goes by. A unix peer and a System V
/// object are shown the effective ids instead: for its lifetime this gives the thread those too,
/// where a process inside changed its own. Real and saved ids stay the broker's, so that nothing
/// inside may signal it.
class EffectiveIdentity {
  public:
    explicit EffectiveIdentity(const Call& call);
    ~EffectiveIdentity();
    EffectiveIdentity(const EffectiveIdentity&) = delete;
    EffectiveIdentity& operator=(const EffectiveIdentity&) = delete;

    /// 0, or the errno to answer when it could not be taken on.
    int error() const { return error_; }

  private:
    int error_ = 0;
    bool changed_ = false;
    uid_t user_ = 0;
    gid_t group_ = 0;
    std::vector<gid_t> groups_;
};

}  // namespace linux_backend
