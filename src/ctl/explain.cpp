// sbxctl explain: the decision on one access, or on those that a command line makes plain.
#include <string>
#include <vector>

#include "ctl/commands.h"
#include "ctl/operands.h"
#include "ctl/speech.h"
#include "ctl/verdict.h"
#include "launch/prepare.h"

namespace ctl {
namespace {

enum class Form { text, json };

std::string dump(const nlohmann::json& value) {
    return value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string subject(const Verdict& verdict) {
    std::string text(policy::name(verdict.access));
    if (!verdict.object.empty()) text += " " + shown(verdict.object);
    return text;
}

std::string as_text(const Verdict& verdict, const launch::LoadedPolicy& loaded) {
    std::string text = subject(verdict) + ": " + conclusion(verdict.decision) + "\n";
    text += "workspace: " +
            (loaded.policy.workspace().empty() ? "none" : shown(loaded.policy.workspace())) + "\n";
    for (const std::string& remark : loaded.scene.remarks) text += "note: " + shown(remark) + "\n";
    text += "considered, in order of precedence:\n";
    std::string unmatched;
    for (const policy::Considered& one : verdict.considered) {
        if (!one.matched && one.why == "does not match") {
            (unmatched += unmatched.empty() ? "" : ", ") += shown(one.rule->id);
            continue;
        }
        text += one.matched ? "  * " : "    ";
        text += shown(one.rule->id) + " (" + shown(one.rule->origin.text()) + ")";
        if (!one.why.empty()) text += ": " + shown(one.why);
        text += "\n";
    }
    if (!unmatched.empty()) text += "do not match: " + unmatched + "\n";
    return text;
}

int explain_access(const Request& request, const std::vector<std::string>& words, Form form) {
    const auto access = access_named(words[0]);
    if (!access) return quit(access.error());
    const auto loaded = launch::load_policy(request.options, request.environment);
    if (!loaded) return quit(loaded.error());
    const auto verdict =
        judge(loaded->policy, *access, words.size() > 1 ? words[1] : "", loaded->scene.current);
    if (!verdict) return quit(verdict.error());
    return print(form == Form::json ? dump(to_json(*verdict)) : as_text(*verdict, *loaded));
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) (text += text.empty() ? "" : " ") += word;
    return text;
}

int explain_line(const Request& request, const std::string& line, Form form) {
    const auto loaded = launch::load_policy(request.options, request.environment);
    if (!loaded) return quit(loaded.error());
    const PlainAccesses plain =
        plain_accesses(line, loaded->scene.current, loaded->scene.variables.homes.front());
    nlohmann::json list = nlohmann::json::array();
    std::string text;
    for (const PlainAccess& one : plain.found) {
        const auto verdict = judge(loaded->policy, one.access, one.path, one.directory);
        if (!verdict) return quit(verdict.error());
        text += shown(one.part) + "\n    " + subject(*verdict) + ": " +
                conclusion(verdict->decision) + "\n";
        list.push_back(to_json(*verdict));
        list.back()["part"] = one.part;
    }
    for (const std::string& part : plain.unknown) {
        text += shown(part) + "\n    what it reaches is only known when it runs\n";
    }
    if (text.empty()) text = "this command line names no file\n";
    if (form == Form::json)
        return print(dump({{"accesses", std::move(list)}, {"unknown", plain.unknown}}));
    return print(text);
}

}  // namespace

int explain(const Request& request) {
    std::vector<std::string> words = request.arguments;
    const Form form = take_flag(words, "--json") ? Form::json : Form::text;
    if (!words.empty() && words[0] == "--") {
        words.erase(words.begin());
        if (words.empty()) return misuse("explain -- needs a command line");
        return explain_line(request, joined(words), form);
    }
    if (words.empty() || words.size() > 2)
        return misuse("explain needs an access and an object, or -- and a command line");
    return explain_access(request, words, form);
}

}  // namespace ctl
