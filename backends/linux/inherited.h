// What the caller of the command handed over as open descriptors.
#pragma once

#include <vector>

#include "os/fd.h"
#include "policy/policy.h"

namespace linux_backend {

struct Inherited {
    /// Regular files that are open for writing.
    std::vector<policy::FileId> writable;
    /// O_PATH descriptors of the terminals, the controlling one included; each once. They keep the
    /// node, not the terminal, in being.
    std::vector<os::Fd> terminals;
};

/// Looks at the descriptors of this process.
Inherited inherited_objects();

}  // namespace linux_backend
