// Ending everything below a process.
#pragma once

namespace linux_backend {

/// Sends SIGKILL to every descendant of the calling process and reaps them until none is left. The
/// caller is a child subreaper, so that nothing escapes by losing its parent. Uses no heap and no
/// lock: callable in any state.
void kill_descendants();

}  // namespace linux_backend
