// Reads policy files: TOML to data, with an error for whatever the schema does not know.
#include "policy/document.h"

#include <fmt/format.h>

#include <stdexcept>

// Some broken texts ("[[[") run into the parser's own assertions.
#define TOML_ASSERT(expression) \
    ((expression) ? void() : throw std::invalid_argument("unexpected characters"))
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wterminate"
#endif
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>

namespace policy {

namespace {

constexpr std::size_t largest_policy = 1 << 20;
constexpr std::size_t most_entries = 10000;

Place place_of(const toml::source_region& region) {
    return {region.begin.line, region.begin.column};
}

std::string join(const std::vector<std::string_view>& words) {
    std::string text;
    for (const std::string_view word : words)
        text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
}

std::string_view type_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "a list";
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a number";
        case toml::node_type::boolean:
            return "true or false";
        default:
            return "a date or time";
    }
}

// Stops reading at the first error; caught in read_document, never leaves this file.
struct Stop {
    core::Error error;
};

class Reader {
  public:
    explicit Reader(const Source& source) : source_(source) { document_.source = &source; }

    Document read(const toml::table& table);

  private:
    using Field = std::pair<std::string_view, void (Reader::*)(const toml::node&)>;

    [[noreturn]] void fail(Place place, std::string detail, std::string remedy) const {
        throw Stop{policy_error(source_, place, std::move(detail), std::move(remedy))};
    }
    [[noreturn]] void wrong_type(const toml::node& node, std::string_view what,
                                 std::string_view wanted) const {
        fail(place_of(node.source()), quote(what) + " is " + std::string(type_name(node)) + " here",
             "write " + std::string(wanted));
    }
    void check_keys(const toml::table& table, const std::vector<std::string_view>& known,
                    std::string_view where) const;
    void permitting_levels_only(Place place, std::string_view what) const;

    const toml::table& table(const toml::node& node, std::string_view what) const;
    Text string(const toml::node& node, std::string_view what) const;
    std::vector<Text> strings(const toml::node& node, std::string_view what) const;
    bool boolean(const toml::node& node, std::string_view what) const;

    void read_rules(const toml::node& node);
    DocumentRule read_rule(const toml::table& table, std::size_t number) const;
    void read_effect(const toml::table& table, DocumentRule& rule) const;
    AccessSet read_accesses(const toml::node& node) const;
    void read_groups(const toml::node& node);
    void read_environment(const toml::node& node);
    void read_git(const toml::node& node);
    void read_shell(const toml::node& node);
    void read_report(const toml::node& node);

    bool may_widen() const { return source_.level != Level::workspace; }
    std::string level_name() const;

    const Source& source_;
    Document document_;
};

std::string Reader::level_name() const {
    constexpr std::array names{"builtin", "admin", "user", "workspace", "invocation"};
    return names[static_cast<std::size_t>(source_.level)];
}

void Reader::check_keys(const toml::table& table, const std::vector<std::string_view>& known,
                        std::string_view where) const {
    for (const auto& [key, node] : table) {
        if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
        const std::string_view meant = nearest(key.str(), known);
        fail(place_of(key.source()), "unknown key " + quote(key.str()) + std::string(where),
             meant.empty() ? "known here: " + join(known) : "did you mean " + quote(meant) + "?");
    }
}

void Reader::permitting_levels_only(Place place, std::string_view what) const {
    if (may_widen()) return;
    fail(place, quote(what) + " in a workspace's policy, which may only tighten",
         "write it into your own policy, ~/.config/sbxsh/policy.toml");
}

const toml::table& Reader::table(const toml::node& node, std::string_view what) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) wrong_type(node, what, "[" + std::string(what) + "] and its keys below");
    return *table;
}

Text Reader::string(const toml::node& node, std::string_view what) const {
    const toml::value<std::string>* value = node.as_string();
    if (value == nullptr) wrong_type(node, what, "a string");
    if (value->get().find('\0') != std::string::npos)
        fail(place_of(node.source()), "a NUL byte in " + quote(what), "remove it");
    return {value->get(), place_of(node.source())};
}

std::vector<Text> Reader::strings(const toml::node& node, std::string_view what) const {
    if (node.is_string()) return {string(node, what)};
    const toml::array* array = node.as_array();
    if (array == nullptr) wrong_type(node, what, "a string or a list of strings");
    std::vector<Text> texts;
    for (const toml::node& element : *array) {
        if (!element.is_string()) wrong_type(element, what, "a string or a list of strings");
        texts.push_back(string(element, what));
    }
    if (texts.size() > most_entries)
        fail(place_of(node.source()), "more than 10000 entries", "use fewer, wider patterns");
    return texts;
}

bool Reader::boolean(const toml::node& node, std::string_view what) const {
    const toml::value<bool>* value = node.as_boolean();
    if (value == nullptr) wrong_type(node, what, "true or false");
    return value->get();
}

Document Reader::read(const toml::table& root) {
    static constexpr std::array fields{
        Field{"rule", &Reader::read_rules},
        Field{"groups", &Reader::read_groups},
        Field{"environment", &Reader::read_environment},
        Field{"git", &Reader::read_git},
        Field{"shell", &Reader::read_shell},
        Field{"report", &Reader::read_report},
    };
    std::vector<std::string_view> known;
    for (const Field& field : fields) known.push_back(field.first);
    check_keys(root, known, "");
    for (const auto& [name, read] : fields) {
        if (const toml::node* node = root.get(name)) (this->*read)(*node);
    }
    return std::move(document_);
}

void Reader::read_rules(const toml::node& node) {
    const toml::array* array = node.as_array();
    const bool tables = array != nullptr &&
                        std::all_of(array->begin(), array->end(),
                                    [](const toml::node& element) { return element.is_table(); });
    if (!tables) wrong_type(node, "rule", "[[rule]], in double brackets");
    if (array->size() > most_entries)
        fail(place_of(node.source()), "more than 10000 rules", "use fewer rules");
    for (const toml::node& element : *array) {
        document_.rules.push_back(read_rule(*element.as_table(), document_.rules.size() + 1));
    }
}

AccessSet Reader::read_accesses(const toml::node& node) const {
    std::vector<std::string_view> known;
    for (int access = 0; access <= static_cast<int>(Access::kernel); ++access)
        known.push_back(name(static_cast<Access>(access)));
    AccessSet accesses = 0;
    for (const Text& text : strings(node, "access")) {
        const auto found = std::find(known.begin(), known.end(), text.value);
        if (found == known.end()) {
            const std::string_view meant = nearest(text.value, known);
            fail(text.place, "unknown access " + quote(text.value),
                 meant.empty() ? "known: " + join(known) : "did you mean " + quote(meant) + "?");
        }
        accesses |= set_of(static_cast<Access>(found - known.begin()));
    }
    if (accesses == 0)
        fail(place_of(node.source()), "an empty 'access'", "name at least one: " + join(known));
    return accesses;
}

void Reader::read_effect(const toml::table& table, DocumentRule& rule) const {
    constexpr std::array effects{std::pair{"allow", Effect::allow}, std::pair{"ask", Effect::ask},
                                 std::pair{"deny", Effect::deny}};
    const toml::node* seen = nullptr;
    for (const auto& [word, effect] : effects) {
        const toml::node* node = table.get(word);
        if (node == nullptr) continue;
        if (seen != nullptr) {
            fail(place_of(node->source()), "a rule with more than one of 'allow', 'ask' and 'deny'",
                 "write one rule for each");
        }
        seen = node;
        rule.effect = effect;
        rule.patterns = strings(*node, word);
        if (rule.patterns.empty())
            fail(place_of(node->source()), "an empty " + quote(word),
                 "name what the rule is about");
        if (effect == Effect::allow) permitting_levels_only(place_of(node->source()), "allow");
    }
    if (seen == nullptr)
        fail(rule.place, "a rule without 'allow', 'ask' or 'deny'",
             "say what the rule does: deny = \"PATTERN\"");
}

DocumentRule Reader::read_rule(const toml::table& table, std::size_t number) const {
    check_keys(table,
               {"id", "access", "allow", "ask", "deny", "except", "override", "reason", "match",
                "not-match", "locked", "group"},
               " in a rule");
    DocumentRule rule;
    rule.place = place_of(table.source());
    rule.id = {level_name() + ".rule-" + std::to_string(number), rule.place};
    const toml::node* access = table.get("access");
    if (access == nullptr)
        fail(rule.place, "a rule without 'access'", "say what it is about: access = \"write\"");
    rule.accesses = read_accesses(*access);
    read_effect(table, rule);
    if (const toml::node* node = table.get("id")) {
        rule.id = string(*node, "id");
        if (rule.id.value.empty())
            fail(rule.id.place, "an empty 'id'", "leave it out, or name the rule");
    }
    if (const toml::node* node = table.get("except")) rule.excepts = strings(*node, "except");
    if (const toml::node* node = table.get("match")) rule.match = strings(*node, "match");
    if (const toml::node* node = table.get("not-match"))
        rule.not_match = strings(*node, "not-match");
    if (const toml::node* node = table.get("reason")) rule.reason = string(*node, "reason").value;
    if (const toml::node* node = table.get("group")) rule.group = string(*node, "group").value;
    if (const toml::node* node = table.get("override")) {
        rule.override_builtin = boolean(*node, "override");
        permitting_levels_only(place_of(node->source()), "override");
        if (rule.override_builtin && rule.effect != Effect::allow) {
            fail(place_of(node->source()), "'override' in a rule that does not allow",
                 "only an 'allow' can override a built-in rule");
        }
    }
    if (const toml::node* node = table.get("locked")) {
        rule.locked = boolean(*node, "locked");
        if (source_.level != Level::admin) {
            fail(place_of(node->source()), "'locked' outside the administrator's policy",
                 "remove it: only /etc/sbxsh/policy.toml can lock rules");
        }
    }
    return rule;
}

void Reader::read_groups(const toml::node& node) {
    std::vector<std::string_view> known;
    for (const Group& group : builtin_groups()) known.push_back(group.name);
    for (const auto& [key, value] : table(node, "groups")) {
        GroupSwitch group{{std::string(key.str()), place_of(key.source())},
                          boolean(value, key.str())};
        const auto found = std::find_if(
            builtin_groups().begin(), builtin_groups().end(),
            [&](const Group& candidate) { return candidate.name == group.name.value; });
        const bool protects = found == builtin_groups().end() || found->protects;
        if (!group.kept && protects)
            permitting_levels_only(group.name.place, "groups." + group.name.value + " = false");
        document_.groups.push_back(std::move(group));
    }
}

void Reader::read_environment(const toml::node& node) {
    const toml::table& environment = table(node, "environment");
    check_keys(environment, {"remove", "keep"}, " in [environment]");
    if (const toml::node* remove = environment.get("remove"))
        document_.removed_variables = strings(*remove, "remove");
    if (const toml::node* keep = environment.get("keep")) {
        permitting_levels_only(place_of(keep->source()), "keep");
        document_.kept_variables = strings(*keep, "keep");
    }
}

void Reader::read_git(const toml::node& node) {
    const toml::table& git = table(node, "git");
    check_keys(git, {"allow-config"}, " in [git]");
    if (const toml::node* allow = git.get("allow-config")) {
        permitting_levels_only(place_of(allow->source()), "allow-config");
        document_.git_allowed_config = strings(*allow, "allow-config");
    }
}

void Reader::read_shell(const toml::node& node) {
    const toml::table& shell = table(node, "shell");
    check_keys(shell, {"interpreter"}, " in [shell]");
    if (const toml::node* interpreter = shell.get("interpreter")) {
        permitting_levels_only(place_of(interpreter->source()), "interpreter");
        document_.interpreter = string(*interpreter, "interpreter");
        if (!document_.interpreter->value.starts_with('/')) {
            fail(document_.interpreter->place,
                 "interpreter " + quote(document_.interpreter->value) + " is not an absolute path",
                 "write the whole path: \"/bin/bash\"");
        }
    }
}

void Reader::read_report(const toml::node& node) {
    const toml::table& report = table(node, "report");
    check_keys(report, {"diagnostics"}, " in [report]");
    if (const toml::node* diagnostics = report.get("diagnostics")) {
        permitting_levels_only(place_of(diagnostics->source()), "diagnostics");
        document_.diagnostics = string(*diagnostics, "diagnostics");
        const std::vector<std::string_view> known{"text", "line", "json", "off"};
        if (std::find(known.begin(), known.end(), document_.diagnostics->value) == known.end()) {
            fail(document_.diagnostics->place,
                 "unknown diagnostics " + quote(document_.diagnostics->value),
                 "known: " + join(known));
        }
    }
}

}  // namespace

std::string quote(std::string_view text) {
    return fmt::format("'{}'", text);
}

core::Error policy_error(const Source& source, Place place, std::string detail,
                         std::string remedy) {
    std::string object = source.file;
    if (place.line != 0) object += fmt::format(":{}:{}", place.line, place.column);
    return {"load policy", std::move(object), 0, std::move(detail), std::move(remedy)};
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
    std::string_view best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    if (word.size() > 64) return best;
    for (const std::string_view candidate : known) {
        std::vector<std::size_t> row(candidate.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 0; i < word.size(); ++i) {
            std::size_t diagonal = std::exchange(row[0], i + 1);
            for (std::size_t j = 0; j < candidate.size(); ++j) {
                const std::size_t changed = diagonal + (word[i] == candidate[j] ? 0 : 1);
                diagonal =
                    std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
            }
        }
        if (row.back() < least) {
            least = row.back();
            best = candidate;
        }
    }
    return best;
}

core::Result<Document> read_document(const Source& source) {
    if (source.text.size() > largest_policy) {
        return core::fail(
            policy_error(source, {}, "larger than 1 MiB", "use fewer, wider patterns"));
    }
    try {
        const toml::table root = toml::parse(std::string_view(source.text), source.file);
        return Reader(source).read(root);
    } catch (const toml::parse_error& error) {
        std::string_view why = error.description();
        constexpr std::string_view opening = "Error while ";
        if (why.starts_with(opening)) why.remove_prefix(opening.size());
        return core::fail(policy_error(source, place_of(error.source()),
                                       fmt::format("broken TOML: {}", why),
                                       "correct the syntax; see sbxsh-policy(5)"));
    } catch (const std::invalid_argument& error) {
        return core::fail(policy_error(source, {}, fmt::format("broken TOML: {}", error.what()),
                                       "correct the syntax; see sbxsh-policy(5)"));
    } catch (Stop& stop) {
        return core::fail(std::move(stop.error));
    }
}

}  // namespace policy
