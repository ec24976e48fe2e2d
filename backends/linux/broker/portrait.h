// Who was refused: the process and its ancestors up to the interpreter, as /proc shows them at that
// moment.
#pragma once

#include "linux/broker/caller.h"
#include "report/denial.h"

namespace linux_backend {

struct Start;

/// Fills `process`, `between` and `by_shell` of a denial. Bounded: 32 ancestors, 64 arguments of 4
/// KiB in all each.
void draw(const Caller& caller, const Start& start, report::Denial& denial);

/// The process `pid`, with program and arguments as far as they can be read.
report::Process portrait(pid_t pid);

}  // namespace linux_backend
