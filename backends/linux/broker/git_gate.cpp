// Looks at the content of git configurations and repositories before they come into force.
#include "linux/broker/git_gate.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "launch/git_directory.h"
#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/checked_copy.h"
#include "linux/broker/git_pointer.h"
#include "policy/git_config.h"
#include "policy/git_layout.h"

namespace linux_backend::git_gate {
namespace {

using policy::Access;
using policy::Decision;
using Kind = policy::Tree::Kind;

constexpr std::string_view hooks_rule = "git.hooks";

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::string parent_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == 0 || slash == path.npos ? "/" : std::string(path.substr(0, slash));
}

/// A few names for a report, the rest counted.
std::string list(const std::vector<std::string>& names) {
    constexpr std::size_t shown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
    return text;
}

/// Keys that the policy lets pass beside the harmless ones.
const std::vector<std::string>& allowed_keys(const Call& call) {
    return call.broker().policy().settings().git_allowed_config;
}

std::vector<policy::GitSetting> settings_before(const Place& target) {
    const auto content = read_content(target.parent.get(), std::string(last_part(target.path)),
                                      policy::git_config_limit);
    if (!content) return {};
    auto settings = policy::parse_git_config(content->text);
    if (!settings) return {};
    return *std::move(settings);
}

Answer refuse_content(const Call& call, const Place& target, Decision decision,
                      std::string detail) {
    decision.detail = std::move(detail);
    return call.refuse(decision,
                       Attempt{Access::write, "rename to", target.path, {"--write", target.path}},
                       EACCES);
}

/// Empty when nothing speaks against `text` as the new content of the config `target`.
std::string object_to_config(const Call& call, const Place& target, std::string_view text) {
    const auto after = policy::parse_git_config(text);
    if (!after) return "not in git's syntax: " + after.error().object;
    return list(policy::unsafe_git_changes(settings_before(target), *after, allowed_keys(call),
                                           parent_of(target.path),
                                           call.broker().policy().workspace()));
}

std::string object_to_pointer(const Call& call, const Place& target, std::string_view text) {
    const PointerStage stage = target.exists ? PointerStage::replacing : PointerStage::fresh;
    const Pointer pointer{target.path, text, follow_git_pointer(target.path, text), stage};
    return list(judge_pointer(call.broker().policy(), call.broker().tree(), pointer).objections);
}

/// The tree as it will be once `path` is there.
class GrownTree final : public policy::Tree {
  public:
    GrownTree(const policy::Tree& before, const std::string& path, Kind kind)
        : before_(before), path_(path), kind_(kind) {}
    Kind kind(std::string_view path) const override {
        return path == path_ ? kind_ : before_.kind(path);
    }
    std::optional<std::string> content(std::string_view path, std::size_t limit) const override {
        return path == path_ ? std::nullopt : before_.content(path, limit);
    }

  private:
    const policy::Tree& before_;
    const std::string& path_;
    Kind kind_;
};

/// The caller may hold a config open for writing since before it had any meaning.
OrErrno<void> renew_configs(const std::string& directory) {
    const os::Fd parent(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!parent) return failed(errno);
    for (const char* name : {"config", "config.worktree"}) {
        const auto content = read_content(parent.get(), name, policy::git_config_limit);
        // What cannot be read is objected to, if it is there.
        if (!content) continue;
        if (auto done = install_copy(parent.get(), name, *content); !done) return done;
    }
    return {};
}

/// One of policy::objectionable_parts, "config: core.pager" or "hooks/pre-commit".
struct Part {
    std::string file;  ///< "config", "hooks/pre-commit"
    std::string name;  ///< What to show beside the rule: "core.pager", "hooks/pre-commit".
};

Part part_of(const std::string& text) {
    const std::size_t colon = text.find(": ");
    if (colon == text.npos) return {text, text};
    return {text.substr(0, colon), text.substr(colon + 2)};
}

/// The first refusal that the policy has for one of `parts`; its detail names those that its rule
/// refuses.
std::optional<Decision> decide_on_parts(const Call& call, const policy::Tree& after,
                                        const std::string& directory,
                                        const std::vector<std::string>& parts) {
    std::optional<Decision> refused;
    std::vector<std::string> named;
    for (const std::string& text : parts) {
        const Part part = part_of(text);
        Decision decision =
            call.broker().policy().decide(Access::write, directory + "/" + part.file, {}, after);
        if (decision.allowed()) continue;
        if (!refused || decision.rule == refused->rule) named.push_back(part.name);
        if (!refused) refused = std::move(decision);
    }
    if (refused) refused->detail = list(named);
    return refused;
}

bool is_part_of(std::string_view path, const std::string& git_directory) {
    if (!path.starts_with(git_directory)) return false;
    path.remove_prefix(git_directory.size());
    return path == "/config" || path == "/config.worktree" || path == "/info/attributes" ||
           path == "/hooks" || path.starts_with("/hooks/");
}

/// The git directories of the repository that the workspace is a tree of.
std::vector<std::string> own_git_directories(const policy::Policy& policy) {
    const std::string& workspace = policy.workspace();
    if (workspace.empty()) return {};
    const auto own = launch::find_git_directory(workspace);
    if (!own) return {workspace};
    std::vector<std::string> directories = own->roots;
    directories.push_back(own->path);
    return directories;
}

bool is_own_part(const policy::Policy& policy, std::string_view path) {
    const auto own = own_git_directories(policy);
    return std::any_of(own.begin(), own.end(),
                       [&](const std::string& directory) { return is_part_of(path, directory); });
}

}  // namespace

bool may_complete(std::string_view path) {
    const std::string_view name = last_part(path);
    return name == "HEAD" || name == "objects" || name == "refs" || name == "reftable" ||
           name == "commondir";
}

std::optional<Answer> refuse_completion(const Call& call, const std::string& path, Kind kind) {
    if (!may_complete(path)) return std::nullopt;
    Broker& broker = call.broker();
    const auto directory = policy::completes_git_dir(broker.tree(), path, kind);
    if (!directory) return std::nullopt;
    if (auto renewed = renew_configs(*directory); !renewed) return Answer::error(renewed.error());
    const auto parts = policy::objectionable_parts(broker.tree(), *directory, allowed_keys(call),
                                                   broker.policy().workspace());
    if (parts.empty()) return std::nullopt;
    const GrownTree after(broker.tree(), path, kind);
    const auto decision = decide_on_parts(call, after, *directory, parts);
    if (!decision) return std::nullopt;
    return call.refuse(
        *decision,
        Attempt{Access::write, "make a git repository of", *directory, {"--write", *directory}},
        EACCES);
}

Answer rename_inspected(const Call& call, const Place& source, const Place& target,
                        const Decision& decision, unsigned flags) {
    const std::string name(last_part(source.path));
    const bool is_config = decision.rule->inspection == policy::Inspection::git_config;
    const std::size_t limit = is_config ? policy::git_config_limit : git_pointer_limit;
    const auto content = read_content(source.parent.get(), name, limit);
    if (!content) {
        const char* why = content.error() == EFBIG ? "its new content is too long"
                                                   : "its new content cannot be read";
        return refuse_content(call, target, decision, why);
    }
    const std::string objection = is_config ? object_to_config(call, target, content->text)
                                            : object_to_pointer(call, target, content->text);
    if (!objection.empty()) return refuse_content(call, target, decision, objection);

    const auto installed =
        install_copy(target.parent.get(), std::string(last_part(target.path)), *content, flags);
    if (!installed) return Answer::error(installed.error());
    ::unlinkat(source.parent.get(), name.c_str(), 0);
    return Answer::value(0);
}

Answer open_pointer(const Call& call, const std::string& path, std::uint64_t flags, mode_t mode,
                    const Decision& decision) {
    const os::Fd parent(
        ::open(parent_of(path).c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!parent) return Answer::error(errno);
    const Attempt attempt{Access::write, "write to", path, {"--write", path}};
    auto refusal = call.describe(decision, attempt, EACCES);
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    PointerDrafts& pointers = call.broker().pointers();
    auto opened =
        pointers.open({parent, std::string(last_part(path)), flags, mode}, std::move(refusal));
    if (opened) return Answer::descriptor(*std::move(opened), (flags & O_CLOEXEC) != 0);
    if (opened.error() == EACCES) return call.refuse(decision, attempt, EACCES);
    return Answer::error(opened.error());
}

bool may_remove(const Call& call, const Decision& decision, std::string_view path) {
    if (!decision.rule->id.starts_with("git.")) return false;
    return !is_own_part(call.broker().policy(), path);
}

bool may_make_directory(const Decision& decision, std::string_view path) {
    const std::string_view name = last_part(path);
    return (decision.rule->id == hooks_rule && name == "hooks") ||
           (decision.rule->inspection == policy::Inspection::git_pointer && name == ".git");
}

std::optional<Answer> refuse_new_git_name(const Call& call, const std::string& from,
                                          const std::string& to) {
    const bool leaves = policy::is_git_dir_name(from);
    if (leaves == policy::is_git_dir_name(to)) return std::nullopt;
    const policy::Policy& policy = call.broker().policy();
    const policy::Tree& tree = call.broker().tree();
    const auto parts =
        policy::objectionable_parts(tree, from, allowed_keys(call), policy.workspace());
    if (parts.empty()) return std::nullopt;
    const auto decision = decide_on_parts(call, tree, leaves ? from : to, parts);
    if (!decision) return std::nullopt;
    return call.refuse(
        *decision, Attempt{Access::write, "move the repository", from, {"--write", from}}, EACCES);
}

}  // namespace linux_backend::git_gate
