// The decision on one access, with its reasons.
#include "ctl/verdict.h"

#include <sys/stat.h>

#include "ctl/speech.h"
#include "launch/canonical.h"
#include "os/tree.h"
#include "policy/endpoint.h"

namespace ctl {
namespace {

using policy::Access;

constexpr Access last_access = Access::kernel;

/// What people say for an access.
struct Word {
    std::string_view word;
    Access access;
};
constexpr Word words[] = {
    {"open", Access::read},         {"list", Access::read},
    {"ls", Access::read},           {"cat", Access::read},
    {"create", Access::write},      {"make", Access::write},
    {"edit", Access::write},        {"modify", Access::write},
    {"change", Access::write},      {"append", Access::write},
    {"truncate", Access::write},    {"delete", Access::write},
    {"remove", Access::write},      {"rm", Access::write},
    {"unlink", Access::write},      {"rename", Access::write},
    {"move", Access::write},        {"mv", Access::write},
    {"link", Access::write},        {"mkdir", Access::write},
    {"rmdir", Access::write},       {"touch", Access::write},
    {"chmod", Access::write},       {"chown", Access::write},
    {"exec", Access::execute},      {"run", Access::execute},
    {"net", Access::connect},       {"network", Access::connect},
    {"send", Access::connect},      {"listen", Access::bind},
    {"unix", Access::unix_connect}, {"socket", Access::unix_connect},
    {"kill", Access::signal},       {"ptrace", Access::inspect},
    {"trace", Access::inspect},     {"shm", Access::ipc},
    {"mount", Access::kernel},
};

std::string_view effect_name(policy::Effect effect) {
    switch (effect) {
        case policy::Effect::allow:
            return "allowed";
        case policy::Effect::ask:
            return "to be asked for";
        case policy::Effect::deny:
            break;
    }
    return "denied";
}

std::string_view effect_word(policy::Effect effect) {
    return effect == policy::Effect::allow ? "allow"
           : effect == policy::Effect::ask ? "ask"
                                           : "deny";
}

core::Error bad_object(std::string_view object, std::string detail, std::string remedy) {
    return core::Error{"explain the access", std::string(object), 0, std::move(detail),
                       std::move(remedy)};
}

core::Result<std::string> path_of(std::string_view object, const std::string& current) {
    const std::string path =
        object.starts_with('/') ? std::string(object) : current + "/" + std::string(object);
    auto canonical = launch::canonical(path);
    if (object.empty() || !canonical) {
        return core::fail(
            bad_object(object, "it is no path that can be resolved", "give an absolute path"));
    }
    return *std::move(canonical);
}

Verdict judge_file(const policy::Policy& policy, Access access, std::string path) {
    const os::RealTree tree;
    struct stat status;
    policy::FileId id;
    if (lstat(path.c_str(), &status) == 0) id = {status.st_dev, status.st_ino};
    Verdict verdict{access, std::move(path), {}, {}};
    verdict.decision = policy.decide(access, verdict.object, id, tree);
    verdict.considered = policy.consider(access, verdict.object, id, tree);
    return verdict;
}

core::Result<Verdict> judge_endpoint(const policy::Policy& policy, Access access,
                                     std::string_view object) {
    const auto endpoint = policy::parse_endpoint(object);
    if (!endpoint) {
        return core::fail(
            bad_object(object, "it is no address with a port",
                       "write it as 127.0.0.1:80 or [::1]:53/udp; names are not looked up"));
    }
    return Verdict{access, endpoint->text(), policy.decide(access, *endpoint),
                   policy.consider(access, *endpoint)};
}

}  // namespace

core::Result<Access> access_named(std::string_view name) {
    std::string known;
    for (unsigned i = 0; i <= static_cast<unsigned>(last_access); ++i) {
        const auto access = static_cast<Access>(i);
        if (policy::name(access) == name) return access;
        (known += known.empty() ? "" : ", ") += policy::name(access);
    }
    for (const Word& each : words)
        if (each.word == name) return each.access;
    const bool looks = name == "stat" || name == "access" || name == "search";
    return core::fail(
        core::Error{"explain the access", std::string(name), 0,
                    looks ? "no rule refuses looking at a file's name, owner, size and times"
                          : "there is no such access",
                    "use one of " + known});
}

bool is_about_files(Access access) {
    return access == Access::read || access == Access::write || access == Access::execute;
}

core::Result<Verdict> judge(const policy::Policy& policy, Access access, std::string_view object,
                            const std::string& current) {
    if (access == Access::connect || access == Access::bind)
        return judge_endpoint(policy, access, object);
    if (is_about_files(access) || access == Access::unix_connect || access == Access::unix_bind) {
        std::string name(object);
        if (is_about_files(access) || !object.starts_with('@')) {
            auto path = path_of(object, current);
            if (!path) return core::fail(std::move(path.error()));
            name = *std::move(path);
        }
        if (is_about_files(access)) return judge_file(policy, access, std::move(name));
        Verdict verdict{access, std::move(name), {}, {}};
        verdict.decision = policy.decide_unix(access, verdict.object);
        verdict.considered = policy.consider_unix(access, verdict.object);
        return verdict;
    }
    return Verdict{access, {}, policy.decide_outside(access), policy.consider_outside(access)};
}

std::string conclusion(const policy::Decision& decision) {
    std::string text(effect_name(decision.effect));
    text += " by " + shown(decision.rule->id) + " (" + shown(decision.rule->origin.text()) + ")";
    if (!decision.detail.empty()) text += ", " + shown(decision.detail);
    if (!decision.rule->reason.empty()) text += ": " + shown(decision.rule->reason);
    return text;
}

nlohmann::json to_json(const Verdict& verdict) {
    const auto rule_of = [](const policy::Rule& rule) {
        return nlohmann::json{{"id", rule.id},
                              {"effect", effect_word(rule.effect)},
                              {"origin", rule.origin.text()},
                              {"reason", rule.reason}};
    };
    nlohmann::json considered = nlohmann::json::array();
    for (const policy::Considered& one : verdict.considered) {
        nlohmann::json entry = rule_of(*one.rule);
        entry["matched"] = one.matched;
        entry["why"] = one.why;
        considered.push_back(std::move(entry));
    }
    return {{"access", policy::name(verdict.access)},
            {"object", verdict.object},
            {"decision", effect_word(verdict.decision.effect)},
            {"rule", rule_of(*verdict.decision.rule)},
            {"detail", verdict.decision.detail},
            {"considered", std::move(considered)}};
}

}  // namespace ctl
