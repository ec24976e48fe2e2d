// Device nodes as names: a rule that lets a device be written to says nothing of its node, which is
// the machine's.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "linux/broker/notification.h"
#include "policy/policy.h"

namespace linux_backend {

class Call;

/// Whether a change of the node at the canonical `path` itself (its name, mode or owner) has to be
/// decided on its directory.
bool is_device_node(const struct stat& status);

/// Nothing when the node at `path` may be changed or removed, or is no device; else the recorded
/// refusal.
std::optional<Answer> refuse_device_node(const Call& call, const std::string& path,
                                         const struct stat& status, const char* operation);

}  // namespace linux_backend
