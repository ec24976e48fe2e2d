// The two ends of the process: its standard descriptors at the start, its death at the end.
#pragma once

namespace front {

/// Occupies descriptors 0 to 2 where the caller closed them, by placeholders that vanish at exec,
/// so that they stay closed for the command and nothing that this process opens takes their
/// numbers.
void reserve_standard_descriptors();

/// Ends as a command with this wait status did: exits with its status at once, or dies by the same
/// signal (without a core dump of our own). Returns a status only where the signal does not kill
/// us.
int end_like(int wait_status);

}  // namespace front
