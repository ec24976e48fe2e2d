// Which refusals are told, and in which order.
#pragma once

#include <cstddef>
#include <vector>

#include "report/locate.h"
#include "report/report.h"

namespace report {

struct Item {
    const Denial* denial = nullptr;
    Location location;
    unsigned repetition = 1;  ///< See Repetition::count.
};

struct Selection {
    std::vector<Item> items;  ///< The most relevant first.
    unsigned long more = 0;   ///< Told ones beyond the limit, and those that were not recorded.
};

/// Picks what is told of `denials`, at most `limit` items. They refer to `denials`, which must
/// outlive them.
Selection select(const std::vector<Denial>& denials, unsigned long dropped, const Context& context,
                 const CommandLine& line, std::size_t limit);

}  // namespace report
