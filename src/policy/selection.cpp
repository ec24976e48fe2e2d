// Compiles the patterns of rules, and checks their examples.
#include "policy/selection.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "policy/load.h"

namespace policy {

namespace {

constexpr AccessSet socket_accesses = set_of(Access::unix_connect) | set_of(Access::unix_bind);

using Status = core::Result<void>;

}  // namespace

SelectionReader::SelectionReader(const Variables& variables)
    : variables_(variables), everywhere_(variables, VariableTable::Reach::everywhere) {}

const VariableTable& SelectionReader::named() const {
    if (!named_) named_.emplace(variables_, VariableTable::Reach::named);
    return *named_;
}

Status SelectionReader::read(const Source& source, const std::vector<Text>& texts,
                             AccessSet accesses, Selection& selection) const {
    for (const Text& text : texts) {
        if (Status status = read_one(source, text, accesses, selection); !status) return status;
    }
    return {};
}

void SelectionReader::read_builtin(std::span<const BuiltinPattern> patterns, AccessSet accesses,
                                   Selection& selection) {
    static const Source none{Level::builtin, "built in", {}};
    for (const BuiltinPattern& pattern : patterns) {
        // The table is right by its test.
        if (pattern.is_simple())
            everywhere_.add(pattern, simple_);
        else
            (void)read_one(none, {std::string(pattern), {}}, accesses, selection);
    }
    selection.paths.insert(selection.paths.end(), std::make_move_iterator(simple_.begin()),
                           std::make_move_iterator(simple_.end()));
    simple_.clear();
}

Status SelectionReader::read_one(const Source& source, const Text& text, AccessSet accesses,
                                 Selection& selection) const {
    const auto fail = [&](std::size_t offset, const std::string& what,
                          std::string remedy) -> Status {
        Place place = text.place;
        if (place.line != 0) place.column += static_cast<std::uint32_t>(offset + 1);
        return core::fail(policy_error(source, place, "pattern " + quote(text.value) + ": " + what,
                                       std::move(remedy)));
    };
    const std::string plain_remedy =
        "put '\\' before a byte that is meant as it is; see sbxsh-policy(5)";
    Access first = Access::read;
    while ((accesses & set_of(first)) == 0)
        first = static_cast<Access>(static_cast<int>(first) + 1);
    if (realm_of(first) == Realm::nothing) {
        selection.everything = text.value == "*";
        if (selection.everything) return {};
        return fail(0, "this access has no objects to choose from", "write \"*\"");
    }
    if (realm_of(first) == Realm::endpoints) {
        std::string problem;
        auto pattern = EndpointPattern::compile(text.value, problem);
        if (!pattern)
            return fail(0, problem,
                        "write ADDRESS:PORT, as in 127.0.0.1:5432, [::1]:80, 10.0.0.0/8:443 or "
                        "loopback:8000-8999");
        selection.endpoints.push_back(std::move(*pattern));
        return {};
    }
    Glob::Problem problem;
    if (text.value.starts_with('@')) {
        if ((accesses & ~socket_accesses) != 0)
            return fail(0, "the name of an abstract socket",
                        "use it with access unix-connect and unix-bind only");
        auto glob =
            Glob::compile(std::string_view(text.value).substr(1), Glob::Slash::ordinary, problem);
        if (!glob) return fail(problem.offset + 1, problem.what, plain_remedy);
        selection.names.push_back({text.value, std::move(*glob)});
        return {};
    }
    const VariableTable& table = source.level == Level::builtin ? everywhere_ : named();
    auto expanded = expand_pattern(text.value, table, problem);
    if (!expanded) {
        const bool variable = problem.what.starts_with("unknown variable");
        return fail(problem.offset, problem.what,
                    variable ? "known: " + VariableTable::names() : plain_remedy);
    }
    for (const std::string& path : *expanded) {
        auto pattern = Pattern::compile(path, problem);
        if (!pattern)
            return fail(path == text.value ? problem.offset : 0, problem.what, plain_remedy);
        const bool repeated =
            std::any_of(selection.paths.begin(), selection.paths.end(), [&](const Pattern& other) {
                return other.is_literal() && pattern->is_literal() &&
                       other.prefix() == pattern->prefix();
            });
        if (!repeated) selection.paths.push_back(std::move(*pattern));
    }
    return {};
}

core::Result<std::optional<bool>> SelectionReader::selects(const Source& source,
                                                           const Text& example,
                                                           const MergedRule& rule) const {
    Selection named;
    if (!rule.selects.endpoints.empty()) {
        const auto endpoint = parse_endpoint(example.value);
        if (!endpoint)
            return core::fail(policy_error(
                source, example.place, "example " + quote(example.value) + " is no ADDRESS:PORT",
                "write one as in 127.0.0.1:80"));
        const auto matches = [&](const EndpointPattern& pattern) {
            return pattern.matches(*endpoint);
        };
        return std::optional<bool>(
            std::any_of(rule.selects.endpoints.begin(), rule.selects.endpoints.end(), matches) &&
            std::none_of(rule.excepts.endpoints.begin(), rule.excepts.endpoints.end(), matches));
    }
    if (example.value.starts_with('@')) {
        const auto matches = [&](const AbstractName& name) {
            return name.glob.matches(std::string_view(example.value).substr(1));
        };
        return std::optional<bool>(
            std::any_of(rule.selects.names.begin(), rule.selects.names.end(), matches) &&
            std::none_of(rule.excepts.names.begin(), rule.excepts.names.end(), matches));
    }
    if (Status status = read_one(source, example, set_of(Access::read), named); !status)
        return core::fail(status.error());
    if (named.paths.empty()) return std::optional<bool>();
    bool all = true;
    for (const Pattern& path : named.paths) {
        if (!path.is_literal()) {
            return core::fail(policy_error(source, example.place,
                                           "example " + quote(example.value) + " is a pattern",
                                           "write one path that the rule is meant for"));
        }
        all = all && rule.exception(path.prefix()) == nullptr &&
              std::any_of(rule.selects.paths.begin(), rule.selects.paths.end(),
                          [&](const Pattern& pattern) { return pattern.matches(path.prefix()); });
    }
    return std::optional<bool>(all);
}

Status SelectionReader::check_examples(const Source& source, const DocumentRule& written,
                                       const MergedRule& rule) const {
    const auto check = [&](const std::vector<Text>& examples, bool wanted) -> Status {
        for (const Text& example : examples) {
            const core::Result<std::optional<bool>> found = selects(source, example, rule);
            if (!found) return core::fail(found.error());
            if (!*found || **found == wanted) continue;
            return core::fail(policy_error(source, example.place,
                                           "rule " + quote(written.id.value) +
                                               (wanted ? " does not match" : " matches") +
                                               " its example " + quote(example.value),
                                           "correct the rule's patterns, or the example"));
        }
        return {};
    };
    if (Status status = check(written.match, true); !status) return status;
    return check(written.not_match, false);
}

}  // namespace policy
