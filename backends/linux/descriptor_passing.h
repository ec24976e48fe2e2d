// One descriptor and a few bytes over a stream socket between our own processes. Source: unix(7).
#pragma once

#include <cstddef>

namespace linux_backend {

/// Sends `size` bytes (at least one) and a duplicate of `descriptor`; false when the other side is
/// gone.
bool send_descriptor(int socket, int descriptor, const void* data, std::size_t size);

/// Waits for what send_descriptor sent; a `size` of 0 leaves one byte out of account. Returns the
/// descriptor, close-on-exec, or -1 when the other side is gone or sent something else. Callable
/// after fork: uses no heap.
int receive_descriptor(int socket, void* data, std::size_t size);

}  // namespace linux_backend
