// What holds under a policy.
#include "ctl/description.h"

#include <algorithm>
#include <span>

#include "ctl/speech.h"
#include "launch/canonical.h"
#include "policy/summary.h"

namespace ctl {
namespace {

using Texts = std::vector<std::string>;
using Entries = std::vector<policy::Summary::Entry>;

constexpr std::size_t shown_patterns = 5;
constexpr std::size_t shown_excepts = 6;
constexpr std::size_t shown_variables = 12;

std::string_view effect_name(policy::Effect effect) {
    return effect == policy::Effect::allow ? "allow"
           : effect == policy::Effect::ask ? "ask"
                                           : "deny";
}

/// Writes the text; paths are shortened by the names of the workspace and the home.
class Writer {
  public:
    explicit Writer(const launch::LoadedPolicy& loaded)
        : loaded_(loaded), variables_(loaded.scene.variables), summary_(loaded.policy.summary()) {}

    std::string write() {
        text_ =
            "Commands run in the sandbox of sbxsh. It refuses some accesses; nothing else about a "
            "command changes.\n";
        write_workspace();
        section("Writing is possible below", summary_.writable, policy::Access::write);
        section("There, and wherever else writing is possible, these are protected:",
                summary_.guarded, std::nullopt);
        section("Reading is possible everywhere, except", summary_.unreadable, std::nullopt);
        section("but is possible for", summary_.readable, std::nullopt);
        if (summary_.ignore_files)
            text_ += "- what .sbxignore and .cursorignore files in the workspace name\n";
        section("Running programs:", summary_.executable, policy::Access::execute);
        section("Network:", summary_.network, policy::Access::connect);
        section("Unix sockets (those made inside the sandbox can always be used):",
                summary_.sockets, policy::Access::unix_connect);
        section("Processes and the kernel:", summary_.processes, policy::Access::signal);
        write_environment();
        text_ +=
            "A refused call fails with \"Permission denied\" (EACCES) or \"Operation not "
            "permitted\" (EPERM). When a command\n"
            "fails because of it, a report that begins with \"sbxsh: blocked:\" on standard error "
            "names the object and the rule.\n"
            "Repeating the command unchanged does not help; `sbxctl explain ACCESS OBJECT` tells "
            "why.\n";
        return std::move(text_);
    }

  private:
    void write_workspace() {
        if (summary_.workspace.empty()) {
            text_ += "There is no workspace.\n";
        } else {
            text_ += "{workspace} is " + shown(summary_.workspace) + "\n";
        }
        for (const std::string& root : variables_.extra_workspace) {
            text_ += "its repository is in " + shown(root) + "\n";
        }
        for (const std::string& remark : loaded_.scene.remarks)
            text_ += "note: " + shown(remark) + "\n";
    }

    void section(std::string_view heading, const Entries& entries,
                 std::optional<policy::Access> otherwise) {
        const policy::Rule* rest =
            otherwise ? summary_.defaults.at(static_cast<std::size_t>(*otherwise)) : nullptr;
        if (entries.empty() && !rest) return;
        (text_ += heading) += '\n';
        for (const policy::Summary::Entry& entry : entries) write_entry(entry);
        if (rest) {
            text_ += std::string("- otherwise: ") + std::string(effect_name(rest->effect)) + " (" +
                     shown(rest->id) + ")";
            text_ += rest->reason.empty() ? "\n" : ": " + shown(rest->reason) + "\n";
        }
    }

    void write_entry(const policy::Summary::Entry& entry) {
        text_ += "- " + shown(entry.rule->id);
        if (entry.rule->effect == policy::Effect::ask) text_ += " (has to be asked for)";
        if (!entry.rule->reason.empty()) text_ += ", " + shown(entry.rule->reason);
        const Texts patterns = shortened(entry.patterns), excepts = shortened(entry.excepts);
        if (!patterns.empty()) text_ += ": " + list(patterns, shown_patterns);
        if (!patterns.empty() && !excepts.empty())
            text_ += "; except " + list(excepts, shown_excepts);
        text_ += '\n';
    }

    void write_environment() {
        if (summary_.removed_variables.empty()) return;
        text_ +=
            "Removed from the environment: " + list(summary_.removed_variables, shown_variables);
        if (!summary_.kept_variables.empty())
            text_ += "; but not " + list(summary_.kept_variables, shown_variables);
        text_ += '\n';
    }

    static std::string list(const Texts& texts, std::size_t limit) {
        std::string text;
        for (std::size_t i = 0; i < texts.size() && i < limit; ++i)
            (text += i == 0 ? "" : ", ") += shown(texts[i]);
        if (texts.size() > limit) text += " and " + std::to_string(texts.size() - limit) + " more";
        return text;
    }

    /// A rule names each home; they read the same when the home is written as "~".
    Texts shortened(const Texts& patterns) const {
        Texts result;
        for (const std::string& pattern : patterns) {
            std::string text = shorten(pattern);
            if (std::find(result.begin(), result.end(), text) == result.end())
                result.push_back(std::move(text));
        }
        return result;
    }

    std::string shorten(const std::string& pattern) const {
        if (launch::is_within(pattern, summary_.workspace)) {
            return "{workspace}" + pattern.substr(summary_.workspace.size());
        }
        for (const std::string& home : variables_.homes) {
            if (launch::is_within(pattern, home)) return "~" + pattern.substr(home.size());
        }
        return pattern;
    }

    const launch::LoadedPolicy& loaded_;
    const policy::Variables& variables_;
    const policy::Summary summary_;
    std::string text_;
};

nlohmann::json rule_json(const policy::Rule& rule) {
    return {{"id", rule.id},
            {"effect", effect_name(rule.effect)},
            {"origin", rule.origin.text()},
            {"reason", rule.reason}};
}

nlohmann::json entry_json(const policy::Summary::Entry& entry) {
    nlohmann::json json = rule_json(*entry.rule);
    json["accesses"] = nlohmann::json::array();
    for (const policy::Access access : entry.accesses)
        json["accesses"].push_back(policy::name(access));
    json["patterns"] = entry.patterns;
    json["except"] = entry.excepts;
    json["override"] = entry.overrides;
    return json;
}

}  // namespace

std::string description_text(const launch::LoadedPolicy& loaded) {
    return Writer(loaded).write();
}

nlohmann::json description_json(const launch::LoadedPolicy& loaded) {
    const policy::Summary summary = loaded.policy.summary();
    const policy::Variables& variables = loaded.scene.variables;
    nlohmann::json rules = nlohmann::json::array();
    std::vector<const policy::Rule*> seen;
    for (const Entries* entries :
         {&summary.unreadable, &summary.readable, &summary.writable, &summary.guarded,
          &summary.executable, &summary.network, &summary.sockets, &summary.processes}) {
        for (const policy::Summary::Entry& entry : *entries) {
            if (std::find(seen.begin(), seen.end(), entry.rule) != seen.end()) continue;
            seen.push_back(entry.rule);
            rules.push_back(entry_json(entry));
        }
    }
    nlohmann::json defaults = nlohmann::json::object();
    for (std::size_t i = 0; i < summary.defaults.size(); ++i) {
        defaults[std::string(policy::name(static_cast<policy::Access>(i)))] =
            rule_json(*summary.defaults[i]);
    }
    return {
        {"version", SBXSH_VERSION},
        {"workspace", summary.workspace},
        {"extra_workspace", variables.extra_workspace},
        {"homes", variables.homes},
        {"temporary", variables.temporary},
        {"policy_files", loaded.files},
        {"fingerprint", loaded.fingerprint},
        {"reads", summary.read_mode == policy::ReadMode::observed ? "observed" : "fixed"},
        {"ignore_files", summary.ignore_files},
        {"rules", std::move(rules)},
        {"defaults", std::move(defaults)},
        {"environment", {{"removed", summary.removed_variables}, {"kept", summary.kept_variables}}},
        {"notes", loaded.scene.remarks}};
}

}  // namespace ctl
