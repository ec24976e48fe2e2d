// Calls that are refused whoever makes them, with whatever arguments.
#include <cerrno>
#include <string>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/handlers.h"

namespace linux_backend {

Answer serve_refused_call(const Call& call) {
    const policy::Decision decision = call.broker().policy().decide_outside(policy::Access::kernel);
    // "mount a file system with move_mount"
    Attempt attempt{
        policy::Access::kernel, std::string(call.row().operation) + " with", call.row().name, {}};
    return call.refuse(decision, std::move(attempt), EPERM);
}

}  // namespace linux_backend
