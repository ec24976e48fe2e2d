// The battery: all effects that are tried.
#pragma once

#include <span>

#include "ctl/verify/effect.h"

namespace ctl::verify {

/// All families, in the order in which they are tried and shown.
std::span<const Family> battery();

std::span<const Effect> file_effects();
std::span<const Effect> metadata_effects();
std::span<const Effect> secret_effects();
std::span<const Effect> workspace_effects();
std::span<const Effect> socket_effects();
std::span<const Effect> listener_effects();
std::span<const Effect> process_effects();
std::span<const Effect> terminal_effects();
std::span<const Effect> ipc_effects();
std::span<const Effect> kernel_effects();
std::span<const Effect> uses();

}  // namespace ctl::verify
