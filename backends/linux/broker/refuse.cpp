// Calls that are refused whoever makes them, with whatever arguments.
#include <cerrno>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/handlers.h"

namespace linux_backend {

Answer serve_refused_call(const Call& call) {
    const policy::Decision decision = call.broker().policy().decide_outside(policy::Access::kernel);
    return call.refuse(decision,
                       Attempt{policy::Access::kernel, call.row().operation, call.row().name, {}},
                       EPERM);
}

}  // namespace linux_backend
