// Whether a sequence comes to the same on both sides, and the shortest one that does not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "meant.h"
#include "side.h"

namespace differential {

struct Difference {
    std::vector<std::string> lines;  ///< The sequence, without calls whose difference is meant.
    std::string where;    ///< The line whose results differ; empty when only the trees do.
    std::string without;  ///< Its result, or what the tree differs in, without a sandbox.
    std::string inside;   ///< The same inside.
    bool hangs = false;

    /// The same for differences that probably have the same cause.
    std::string signature() const;
};

class Comparison {
  public:
    Comparison(Side& without, Side& inside, const std::vector<MeantDifference>& meant)
        : without_(without), inside_(inside), meant_(meant) {}

    /// Nothing when all is equal but for meant differences. A call that has one is taken out and
    /// the rest compared anew, so that it hides nothing that follows it.
    std::optional<Difference> compare(std::vector<std::string> lines);

    /// As few lines as still show the same difference.
    Difference shrink(Difference difference);

    /// How often each meant difference was seen.
    const std::map<const MeantDifference*, long>& seen() const { return seen_; }

  private:
    const MeantDifference* meant(const Difference& difference) const;

    Side& without_;
    Side& inside_;
    const std::vector<MeantDifference>& meant_;
    std::map<const MeantDifference*, long> seen_;
};

}  // namespace differential
