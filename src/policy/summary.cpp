// Sorts the merged rules by what they speak of.
#include "policy/summary.h"

#include <initializer_list>
#include <utility>

#include "policy/impl.h"

namespace policy {

namespace {

std::vector<std::string> texts(const Selection& selection) {
    std::vector<std::string> all;
    for (const Pattern& pattern : selection.paths)
        all.push_back(pattern.text().empty() ? "/" : pattern.text());
    for (const AbstractName& name : selection.names) all.push_back(name.text);
    for (const EndpointPattern& pattern : selection.endpoints) all.push_back(pattern.text());
    if (selection.everything) all.emplace_back("*");
    return all;
}

std::vector<Summary::Entry>& place_for(Summary& summary, const MergedRule& rule) {
    const auto any_of = [&](std::initializer_list<Access> accesses) {
        for (const Access access : accesses) {
            if (rule.speaks_of(access)) return true;
        }
        return false;
    };
    if (any_of({Access::read})) return rule.refuses() ? summary.unreadable : summary.readable;
    if (any_of({Access::write})) return rule.refuses() ? summary.guarded : summary.writable;
    if (any_of({Access::execute})) return summary.executable;
    if (any_of({Access::connect, Access::bind})) return summary.network;
    if (any_of({Access::unix_connect, Access::unix_bind})) return summary.sockets;
    return summary.processes;
}

}  // namespace

Summary Policy::summary() const {
    const Impl& impl = *impl_;
    Summary summary;
    summary.workspace = impl.workspace;
    summary.read_mode = impl.read_mode;
    summary.ignore_files = impl.observes_ignore_files;
    for (const MergedRule& rule : impl.rules) {
        Summary::Entry entry{
            &rule.rule, {}, texts(rule.selects), texts(rule.excepts), rule.override_builtin};
        if (entry.patterns.empty() && rule.subject == Subject::patterns) continue;
        for (std::size_t access = 0; access < access_count; ++access) {
            if (rule.speaks_of(static_cast<Access>(access)))
                entry.accesses.push_back(static_cast<Access>(access));
        }
        // A rule that allows both is a way to read and a way to write.
        if (!rule.refuses() && rule.speaks_of(Access::read) && rule.speaks_of(Access::write))
            summary.writable.push_back(entry);
        place_for(summary, rule).push_back(std::move(entry));
    }
    for (const Rule& rule : impl.defaults) summary.defaults.push_back(&rule);
    const EnvironmentRules& environment = impl.environment;
    summary.removed_variables = environment.firmly_removed;
    summary.removed_variables.insert(summary.removed_variables.end(), environment.removed.begin(),
                                     environment.removed.end());
    summary.kept_variables = environment.kept;
    if (environment.builtin) {
        for (const std::string_view glob : builtin_removed_variables())
            summary.removed_variables.emplace_back(glob);
        for (const std::string_view glob : builtin_kept_variables())
            summary.kept_variables.emplace_back(glob);
    }
    return summary;
}

}  // namespace policy
