// What can be done about a refusal: the command to type, or the rule to write.
#pragma once

#include <string>
#include <vector>

#include "report/locate.h"
#include "report/report.h"
#include "report/select.h"

namespace report {

struct Remedy {
    enum class Kind {
        none,
        elevate,
        policy,  ///< A rule of the user's own allows it.
        change,  ///< Only what refuses it can be changed.
    };
    Kind kind = Kind::none;
    std::vector<std::string> grant;  ///< elevate: Denial::grant.
    std::string command;  ///< elevate: the whole command line to type; ends in "--" where the
                          ///< command is not known.
    std::string file;     ///< policy: where the rule goes.
    std::string rule;     ///< policy: the rule as TOML, several lines.
    std::string place;    ///< change: where that stands.
    std::string explain;  ///< the command that shows the decision; empty for elevate.
};

/// The remedy for a refusal.
Remedy remedy(const Item& item, const Context& context, const CommandLine& line);

}  // namespace report
