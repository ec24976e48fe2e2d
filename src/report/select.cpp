// The rules of DESIGN's report section: told when it mattered, silent otherwise.
#include "report/select.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace report {

namespace {

/// Whether the shell was refused an act of the command line itself, not a look around of its own.
bool is_shells_own(const Denial& denial, const Location& location, const CommandLine& line) {
    if (!denial.by_shell) return false;
    if (denial.access != "read") return true;
    return location.kind == Location::Kind::redirection || line.text.empty() ||
           has_unknown_redirection(line, denial);
}

/// Whether `text` begins with one of `beginnings`.
template <std::size_t N>
bool begins(std::string_view text, const std::array<std::string_view, N>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view each) { return text.rfind(each, 0) == 0; });
}

/// What shells do unasked: open the terminal at the start, read and write their history.
bool is_housekeeping(const Denial& denial, const Context& context, const CommandLine& line) {
    static constexpr std::array<std::string_view, 3> terminals{"/dev/tty", "/dev/pts/",
                                                               "/dev/console"};
    static constexpr std::array<std::string_view, 4> histories{".bash_history", ".zsh_history",
                                                               ".sh_history", ".history"};
    if (!denial.by_shell) return false;
    const std::string_view object = denial.object;
    const bool own_history = context.session == Session::interactive &&
                             begins(object.substr(object.rfind('/') + 1), histories);
    return (own_history || begins(object, terminals)) &&
           locate(line, denial).kind == Location::Kind::none;
}

/// Whether the failure of the command line may come from what this refused; see Denials for
/// `failed`.
bool mattered(const Denial& denial, const Context& context) {
    if (denial.failed) return true;
    const bool tried_apart = denial.access == "kernel" && !denial.between.empty();
    return context.wait_status != 0 && !tried_apart;
}

enum Rank : int { own, failed, rest };

struct Candidate {
    Item item;
    Rank rank = rest;
};

bool before(const Candidate& a, const Candidate& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.item.denial->likely != b.item.denial->likely) return b.item.denial->likely;
    return a.item.denial->sequence > b.item.denial->sequence;
}

unsigned repetition(const Context& context, const Denial& denial) {
    for (const Repetition& each : context.repetitions) {
        if (each.rule == denial.rule && each.object == denial.object) return each.count;
    }
    return 1;
}

}  // namespace

Selection select(const std::vector<Denial>& denials, unsigned long dropped, const Context& context,
                 const CommandLine& line, std::size_t limit) {
    // A rough choice before commands are searched: one of each rule and object, so that the work is
    // bounded.
    std::map<std::pair<std::string_view, std::string_view>, Candidate> distinct;
    for (const Denial& denial : denials) {
        Candidate candidate{{&denial, {}, 1},
                            denial.by_shell ? own
                            : denial.failed ? failed
                                            : rest};
        const auto [at, fresh] = distinct.try_emplace({denial.rule, denial.object}, candidate);
        if (!fresh && before(candidate, at->second)) at->second = candidate;
    }
    std::vector<Candidate> told;
    for (auto& [key, candidate] : distinct) {
        const Denial& denial = *candidate.item.denial;
        if (is_housekeeping(denial, context, line)) continue;
        if (!mattered(denial, context) && !denial.by_shell) continue;
        if (!mattered(denial, context) && !is_shells_own(denial, locate(line, denial), line))
            continue;
        told.push_back(std::move(candidate));
    }
    std::sort(told.begin(), told.end(), before);
    Selection selection;
    if (told.empty()) return selection;
    selection.more = dropped;
    for (Candidate& candidate : told) {
        if (selection.items.size() == limit) {
            ++selection.more;
            continue;
        }
        candidate.item.location = locate(line, *candidate.item.denial);
        candidate.item.repetition = repetition(context, *candidate.item.denial);
        selection.items.push_back(candidate.item);
    }
    return selection;
}

}  // namespace report
