// What became of the effects.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "ctl/verify/effect.h"
#include "ctl/verify/ground.h"

namespace ctl::verify {

enum class Outcome {
    held,       ///< An attack had no effect.
    broken,     ///< An attack had its effect.
    works,      ///< What must work did.
    fails,      ///< What must work did not, or an attack could not be tried inside.
    not_tried,  ///< It has no effect on this machine without a sandbox either.
    decided,    ///< The administrator's policy wants it to be so.
};

/// The word for it in JSON: "not-tried".
std::string_view name(Outcome outcome);

struct Finding {
    const Family* family = nullptr;
    const Effect* effect = nullptr;
    Outcome outcome = Outcome::held;
    std::string detail;  ///< Why, where it is neither held nor works.
};

/// Whether `sbxsh` can start a command at all; an Error with its message when it cannot.
core::Result<void> try_start(const Ground& ground, const std::string& sbxsh);

/// Tries each effect of the battery, without a sandbox and in that of the program `sbxsh`. Ends
/// early when it is interrupted. The working directory has to be the ground's workspace.
std::vector<Finding> try_all(Ground& ground, const std::string& sbxsh);

}  // namespace ctl::verify
