// Merges the built-in policy and the documents of all levels into the policy in force.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "policy/document.h"
#include "policy/impl.h"
#include "policy/load.h"
#include "policy/selection.h"

namespace policy {

namespace {

using Status = core::Result<void>;

class Merger {
  public:
    Merger(const Variables& variables, const Surroundings& surroundings)
        : variables_(variables), surroundings_(surroundings), reader_(variables) {}

    Status add(const Document& document);
    Status add_groups(const Document& document);
    Status check_group_names(const std::vector<Document>& documents) const;
    void add_builtin();
    void reserve_ids();
    Status finish();
    std::unique_ptr<Policy::Impl> take() { return std::move(impl_); }

  private:
    Status add_rule(const Source& source, const DocumentRule& rule);
    Status add_settings(const Document& document);
    bool dropped(const std::string& group) const;
    /// A literal pattern that a symbolic link leads away from.
    struct Link {
        PatternRef from;
        std::string target;
    };
    void resolve_literals();
    void add_targets(std::vector<Link> links);
    void add_defaults();
    std::string writable_reason() const;
    void find_read_mode();

    struct Switch {
        bool kept = true;
        std::string pinned_by;  // where the administrator says that it stays
        Place place;
        const Source* source = nullptr;
    };

    const Variables& variables_;
    const Surroundings& surroundings_;
    SelectionReader reader_;
    std::map<std::string, Switch, std::less<>> groups_;
    std::map<std::string, std::string, std::less<>> ids_;  // to where the rule stands
    bool aliased_ = false;
    std::unique_ptr<Policy::Impl> impl_ = std::make_unique<Policy::Impl>();
};

int rank(const MergedRule& rule) {
    const int effect = rule.rule.effect == Effect::deny  ? 0
                       : rule.rule.effect == Effect::ask ? 1
                                                         : 2;
    static constexpr int by_level[] = {4, 0, 1, 3,
                                       2};  // builtin, admin, user, workspace, invocation
    return effect * 8 + by_level[static_cast<std::size_t>(rule.rule.origin.level)];
}

bool Merger::dropped(const std::string& group) const {
    const auto found = groups_.find(group);
    return found != groups_.end() && !found->second.kept;
}

Status Merger::add_groups(const Document& document) {
    for (const GroupSwitch& group : document.groups) {
        Switch& state = groups_[group.name.value];
        const auto known = std::find_if(
            builtin_groups().begin(), builtin_groups().end(),
            [&](const Group& candidate) { return candidate.name == group.name.value; });
        const bool protects = known == builtin_groups().end() || known->protects;
        const Origin origin{document.source->level, document.source->file, group.name.place.line,
                            group.name.place.column};
        if (!group.kept && !state.pinned_by.empty()) {
            return core::fail(
                policy_error(*document.source, group.name.place,
                             "group " + quote(group.name.value) + " is kept by " + state.pinned_by,
                             "remove this line, or ask the administrator"));
        }
        if (group.kept && document.source->level == Level::admin) state.pinned_by = origin.text();
        state.kept = protects ? group.kept : state.kept && group.kept;
        state.place = group.name.place;
        state.source = document.source;
    }
    return {};
}

Status Merger::check_group_names(const std::vector<Document>& documents) const {
    std::vector<std::string_view> known;
    for (const Group& group : builtin_groups()) known.push_back(group.name);
    for (const Document& document : documents) {
        for (const DocumentRule& rule : document.rules) {
            if (!rule.group.empty()) known.push_back(rule.group);
        }
    }
    for (const auto& [name, group] : groups_) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string_view meant = nearest(name, known);
        std::string all;
        for (const std::string_view word : known)
            all += (all.empty() ? "known: " : ", ") + std::string(word);
        return core::fail(policy_error(*group.source, group.place, "unknown group " + quote(name),
                                       meant.empty() ? all : "did you mean " + quote(meant) + "?"));
    }
    return {};
}

void Merger::reserve_ids() {
    for (const BuiltinRule& row : builtin_rules()) ids_.emplace(row.id, "the built-in policy");
    for (const BuiltinDefault& row : builtin_defaults())
        ids_.emplace(row.id, "the built-in policy");
    ids_.emplace("fs.ignored", "the built-in policy");
}

void Merger::add_builtin() {
    impl_->rules.reserve(builtin_rules().size() + 16);
    for (const BuiltinRule& row : builtin_rules()) {
        if (!row.group.empty() && dropped(std::string(row.group))) continue;
        MergedRule rule;
        rule.rule.id = row.id;
        rule.rule.effect = row.effect;
        rule.rule.reason = row.reason;
        if (row.subject == Subject::git_config) rule.rule.inspection = Inspection::git_config;
        if (row.subject == Subject::git_pointer) rule.rule.inspection = Inspection::git_pointer;
        rule.accesses = row.accesses;
        rule.group = row.group;
        rule.subject = row.subject;
        rule.keeper = row.keeper;
        reader_.read_builtin(row.patterns, row.accesses, rule.selects);
        reader_.read_builtin(row.excepts, row.accesses, rule.excepts);
        impl_->rules.push_back(std::move(rule));
    }
}

// One rule speaks of objects of one kind.
Status check_realms(const Source& source, const DocumentRule& written) {
    const auto speaks_of = [&](Access access) { return (written.accesses & set_of(access)) != 0; };
    for (int access = 0; access < static_cast<int>(access_count); ++access) {
        const auto each = static_cast<Access>(access);
        if (!speaks_of(each)) continue;
        Access first = Access::read;
        while (!speaks_of(first)) first = static_cast<Access>(static_cast<int>(first) + 1);
        if (realm_of(first) != realm_of(each)) {
            return core::fail(
                policy_error(source, written.place,
                             "a rule for both " + quote(name(first)) + " and " + quote(name(each)),
                             "write one rule for each: their objects are not alike"));
        }
        if (each == Access::kernel && written.effect == Effect::allow) {
            return core::fail(policy_error(source, written.place,
                                           "calls that reach past the sandbox cannot be allowed",
                                           "remove the rule"));
        }
    }
    return {};
}

Status Merger::add_rule(const Source& source, const DocumentRule& written) {
    MergedRule rule;
    rule.rule.id = written.id.value;
    rule.rule.effect = written.effect;
    rule.rule.origin = {source.level, source.file, written.place.line, written.place.column};
    rule.rule.reason = written.reason;
    rule.accesses = written.accesses;
    rule.group = written.group;
    rule.override_builtin = written.override_builtin;
    rule.locked = written.locked;

    const bool numbered = written.id.place.line == written.place.line &&
                          written.id.place.column == written.place.column;
    if (numbered && ids_.contains(rule.rule.id)) rule.rule.id += "@" + source.file;
    const auto [known, fresh] =
        ids_.emplace(rule.rule.id, rule.rule.origin.text() + (written.locked ? " (locked)" : ""));
    if (!fresh) {
        return core::fail(
            policy_error(source, written.id.place,
                         "rule " + quote(written.id.value) + " stands already in " + known->second,
                         "give this rule another id"));
    }
    if (Status status = check_realms(source, written); !status) return status;
    if (Status status = reader_.read(source, written.patterns, rule.accesses, rule.selects);
        !status)
        return status;
    if (Status status = reader_.read(source, written.excepts, rule.accesses, rule.excepts); !status)
        return status;
    if (Status status = reader_.check_examples(source, written, rule); !status) return status;
    if (const auto group = groups_.find(written.group);
        group != groups_.end() && !group->second.kept) {
        if (!written.locked) return {};
        return core::fail(policy_error(*group->second.source, group->second.place,
                                       "group " + quote(written.group) + " has the rule " +
                                           quote(written.id.value) + ", locked by " +
                                           rule.rule.origin.text(),
                                       "remove this line, or ask the administrator"));
    }
    impl_->rules.push_back(std::move(rule));
    return {};
}

Status Merger::add_settings(const Document& document) {
    Settings& settings = impl_->settings;
    const Source& source = *document.source;
    if (document.interpreter) settings.interpreter = document.interpreter->value;
    if (document.diagnostics) settings.diagnostics = document.diagnostics->value;
    for (const Text& text : document.git_allowed_config)
        settings.git_allowed_config.push_back(text.value);
    const bool firm = source.level == Level::admin || source.level == Level::workspace;
    EnvironmentRules& environment = impl_->environment;
    for (const Text& text : document.removed_variables)
        (firm ? environment.firmly_removed : environment.removed).push_back(text.value);
    for (const Text& text : document.kept_variables) environment.kept.push_back(text.value);
    return {};
}

Status Merger::add(const Document& document) {
    for (const DocumentRule& rule : document.rules) {
        if (Status status = add_rule(*document.source, rule); !status) return status;
    }
    return add_settings(document);
}

// A literal refusal stands for the object too: for what a symbolic link leads to, and for the
// object under any name.
void Merger::resolve_literals() {
    std::vector<Link> links;
    std::string path;
    Surroundings::Resolved resolved;
    impl_->by_prefix.walk([&](std::string_view directory,
                              std::size_t names) { surroundings_.expect(directory, names); },
                          [&](PatternRef ref) {
                              const Pattern& pattern = impl_->pattern(ref);
                              if (!impl_->rules[ref.rule].refuses() || !pattern.is_literal())
                                  return;
                              if (path != pattern.prefix()) {
                                  path = pattern.prefix();
                                  resolved = surroundings_.resolve(path);
                              }
                              aliased_ |= resolved.aliased &&
                                          impl_->rules[ref.rule].speaks_of(Access::read);
                              if (resolved.id != FileId{})
                                  impl_->identities.push_back({resolved.id, ref.rule});
                              if (!resolved.target.empty() && resolved.target != path)
                                  links.push_back({ref, resolved.target});
                          });
    std::sort(impl_->identities.begin(), impl_->identities.end(), [](const auto& a, const auto& b) {
        return a.id.inode != b.id.inode ? a.id.inode < b.id.inode : a.rule < b.rule;
    });
    if (!links.empty()) add_targets(std::move(links));
}

void Merger::add_targets(std::vector<Link> links) {
    std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
        return a.from.rule != b.from.rule ? a.from.rule < b.from.rule
                                          : a.from.pattern < b.from.pattern;
    });
    for (const Link& link : links) {
        MergedRule& rule = impl_->rules[link.from.rule];
        const std::string path = impl_->pattern(link.from).prefix();
        rule.selects.paths.push_back(Pattern::literal(link.target));
        const std::size_t excepts = rule.excepts.paths.size();
        for (std::size_t except = 0; except < excepts; ++except) {
            if (auto moved = rule.excepts.paths[except].moved(path, link.target))
                rule.excepts.paths.push_back(std::move(*moved));
        }
    }
    impl_->by_prefix = {};
    impl_->by_prefix.build(impl_->rules);
}

std::string Merger::writable_reason() const {
    std::string places = variables_.workspace;
    const auto add = [&](std::string_view place, std::string_view group) {
        if (dropped(std::string(group))) return;
        places += (places.empty() ? "" : ", ") + std::string(place);
    };
    add("/tmp", "temporary");
    add("tool caches", "caches");
    if (places.empty()) return "nothing is writable here";
    if (const std::size_t comma = places.rfind(", "); comma != std::string::npos)
        places.replace(comma, 2, " and ");
    return "only " + places +
           (places.find(" and ") == std::string::npos && places != "tool caches" ? " is writable"
                                                                                 : " are writable");
}

void Merger::add_defaults() {
    for (const BuiltinDefault& row : builtin_defaults()) {
        Rule& rule = impl_->defaults[static_cast<std::size_t>(row.access)];
        rule.id = row.id;
        rule.effect = row.effect;
        rule.reason = row.access == Access::write ? writable_reason() : std::string(row.reason);
    }
    impl_->ignored.id = "fs.ignored";
    impl_->ignored.origin = {Level::workspace, "ignore file", 0, 0};
    impl_->ignored.reason = "an ignore file keeps it out of reach";
}

void Merger::find_read_mode() {
    // The floor knows files by where they stand; another name of one is seen only when it is
    // opened.
    bool observed = impl_->observes_ignore_files || aliased_;
    for (const MergedRule& rule : impl_->rules) {
        if (!rule.refuses() || !rule.speaks_of(Access::read)) continue;
        observed = observed || rule.rule.effect == Effect::ask ||
                   !std::all_of(rule.selects.paths.begin(), rule.selects.paths.end(),
                                [](const Pattern& pattern) { return pattern.is_decidable(); });
    }
    impl_->read_mode = observed ? ReadMode::observed : ReadMode::fixed;
}

Status Merger::finish() {
    Policy::Impl& impl = *impl_;
    const auto precedes = [](const MergedRule& a, const MergedRule& b) {
        return rank(a) < rank(b);
    };
    if (!std::is_sorted(impl.rules.begin(), impl.rules.end(), precedes))
        std::stable_sort(impl.rules.begin(), impl.rules.end(), precedes);
    impl.by_prefix.build(impl.rules);
    resolve_literals();
    impl.by_key.build(impl.rules);
    for (std::uint32_t index = 0; index < impl.rules.size(); ++index) {
        if (impl.rules[index].override_builtin) impl.overrides.push_back(index);
        if (impl.rules[index].subject != Subject::patterns) impl.git_rules.push_back(index);
    }
    impl.workspace = variables_.workspace;
    if (!variables_.workspace.empty()) impl.workspaces.push_back(variables_.workspace);
    for (const std::string& root : variables_.extra_workspace) impl.workspaces.push_back(root);
    impl.observes_ignore_files =
        !dropped("ignore-files") &&
        std::any_of(impl.workspaces.begin(), impl.workspaces.end(),
                    [&](const std::string& root) { return surroundings_.has_ignore_files(root); });
    impl.environment.builtin = !dropped("environment");
    add_defaults();
    find_read_mode();
    return {};
}

}  // namespace

core::Result<Policy> load(const std::vector<Source>& sources, const Variables& variables,
                          const Surroundings& surroundings) {
    std::vector<Document> documents;
    for (const Source& source : sources) {
        core::Result<Document> document = read_document(source);
        if (!document) return core::fail(std::move(document.error()));
        documents.push_back(std::move(*document));
    }
    Merger merger(variables, surroundings);
    for (const Document& document : documents) {
        if (Status status = merger.add_groups(document); !status) return core::fail(status.error());
    }
    if (Status status = merger.check_group_names(documents); !status)
        return core::fail(status.error());
    merger.add_builtin();
    if (!documents.empty()) merger.reserve_ids();
    for (const Document& document : documents) {
        if (Status status = merger.add(document); !status) return core::fail(status.error());
    }
    if (Status status = merger.finish(); !status) return core::fail(status.error());
    return Policy(merger.take());
}

}  // namespace policy
