// A file system in memory, and a policy's surroundings in memory, for tests.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "policy/load.h"
#include "policy/tree.h"

namespace policy {

/// Files by path; the directories above them exist too.
class FakeTree : public Tree {
  public:
    FakeTree() = default;
    explicit FakeTree(std::map<std::string, std::string> files) : files_(std::move(files)) {}

    void add(const std::string& path, const std::string& content = {}) { files_[path] = content; }
    void add_directory(const std::string& path) { directories_.insert(path); }

    Kind kind(std::string_view path) const override {
        const std::string name(path);
        if (files_.contains(name)) return Kind::file;
        if (directories_.contains(name)) return Kind::directory;
        const auto below = files_.lower_bound(name + "/");
        const bool holds = below != files_.end() && below->first.starts_with(name + "/");
        return holds ? Kind::directory : Kind::absent;
    }
    std::optional<std::string> content(std::string_view path, std::size_t limit) const override {
        const auto found = files_.find(std::string(path));
        if (found == files_.end() || found->second.size() > limit) return std::nullopt;
        return found->second;
    }

  private:
    std::map<std::string, std::string> files_;
    std::set<std::string> directories_;
};

struct FakeSurroundings : Surroundings {
    std::map<std::string, Resolved> resolved;
    bool ignore_files = false;

    Resolved resolve(const std::string& path) const override {
        const auto found = resolved.find(path);
        return found == resolved.end() ? Resolved{} : found->second;
    }
    bool has_ignore_files(const std::string&) const override { return ignore_files; }
};

inline Variables usual_variables() {
    Variables variables;
    variables.workspace = "/home/u/app";
    variables.homes = {"/home/u"};
    variables.temporary = {"/tmp"};
    variables.cache = "/home/u/.cache";
    variables.config = "/home/u/.config";
    variables.data = "/home/u/.local/share";
    variables.state = "/home/u/.local/state/sbxsh";
    variables.runtime = "/run/user/1000";
    variables.git_runs = {"/home/u/app/.husky", "/home/u/app/tools/clean filter"};
    return variables;
}

/// Those of root, who answers for somebody else's home, too.
inline Variables usual_variables_of_root() {
    Variables variables = usual_variables();
    variables.homes.push_back("/home/v");
    variables.foreign_homes = 1;
    return variables;
}

inline core::Result<Policy> try_load(const std::vector<Source>& sources,
                                     const FakeSurroundings& surroundings = {}) {
    return load(sources, usual_variables(), surroundings);
}

/// The policy of one user's file; a text that does not load fails the test loudly.
inline Policy load_user(const std::string& text, const FakeSurroundings& surroundings = {}) {
    core::Result<Policy> policy = try_load({{Level::user, "user.toml", text}}, surroundings);
    if (!policy) throw std::runtime_error(policy.error().message());
    return std::move(*policy);
}

inline std::string rule_for(const Policy& policy, Access access, std::string_view path,
                            const Tree& tree = FakeTree(), FileId id = {}) {
    const Decision decision = policy.decide(access, path, id, tree);
    static constexpr const char* effects[] = {"allow", "ask", "deny"};
    return std::string(effects[static_cast<int>(decision.effect)]) + " " + decision.rule->id;
}

}  // namespace policy
