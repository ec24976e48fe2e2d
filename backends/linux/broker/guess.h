// The one inference: a failed program whose arguments name a file that the floor refuses without
// our seeing it.
#pragma once

#include <sys/types.h>

namespace linux_backend {

class Call;

/// When read-only opens are not observed: looks through the arguments of the failing `process` for
/// existing paths whose reading is refused, and records those as *likely* denials.
void guess_refusal(const Call& call, pid_t process);

}  // namespace linux_backend
