// connect(2) to a server inside.
#pragma once

#include "linux/broker/call.h"
#include "linux/broker/destination.h"
#include "linux/broker/socket.h"

namespace linux_backend {

/// Performs a connect to `destination.local`, so that nobody but a socket made inside can be at the
/// other end, now or later.
///
/// A stream is connected when a listener that was there before still is afterwards. A handshake
/// that does not end at once, as it does unless the listener's queue is full, is undone: whoever
/// has the port later would complete it. A socket that may wait tries again until a listener takes
/// it or there is none; for another one the answer is ECONNREFUSED.
///
/// A datagram socket is refused where nobody receives (ECONNREFUSED), and watched: see
/// Associations.
Answer connect_inside(const Call& call, CallerSocket socket, Destination destination);

}  // namespace linux_backend
