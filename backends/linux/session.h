// The life of the broker process: start the command, serve it, tell the front how it ended, stay
// until all inside is gone.
#pragma once

#include <string>

#include "launch/plan.h"
#include "linux/broker/broker.h"
#include "linux/child.h"
#include "linux/floor.h"
#include "linux/inherited.h"
#include "os/fd.h"

namespace linux_backend {

/// What the front prepared for the broker.
struct SessionPlan {
    const launch::Plan* plan = nullptr;
    Entry entry;
    std::string
        workspace_state;  ///< Directory shared by the sandboxes of this workspace; may be empty.
    Inherited inherited;
    os::Fd front;    ///< Stream socket to the front; its end means that the front is gone.
    os::Fd witness;  ///< The witness's socket to the front.
};

/// The front builds the floor while the processes start. Gives it to the broker at the other end of
/// `socket`; false when that is gone.
bool hand_over(const launch::Plan& plan, Floor floor, const os::Fd& socket);

/// Runs the broker. Called in a fresh process with one thread, all signals blocked. Does not
/// return.
[[noreturn]] void run_session(SessionPlan plan);

}  // namespace linux_backend
