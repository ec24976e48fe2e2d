// Levels, overrides, exceptions and groups.
#include <doctest/doctest.h>

#include "fake_tree.h"

using namespace policy;

namespace {

Policy load_all(const std::vector<Source>& sources, const FakeSurroundings& surroundings = {}) {
    auto policy = try_load(sources, surroundings);
    if (!policy) throw std::runtime_error(policy.error().message());
    return std::move(*policy);
}

std::string rule(const std::string& id, const std::string& rest) {
    return "[[rule]]\nid = '" + id + "'\n" + rest;
}

}  // namespace

TEST_CASE("deny beats ask, ask beats allow, whatever their order") {
    const Policy policy = load_user(rule("a", "access = 'write'\nallow = '/srv'\n") +
                                    rule("k", "access = 'write'\nask = '/srv/x'\n") +
                                    rule("d", "access = 'write'\ndeny = '/srv/x/y'\n"));
    CHECK(rule_for(policy, Access::write, "/srv/a") == "allow a");
    CHECK(rule_for(policy, Access::write, "/srv/x/a") == "ask k");
    CHECK(rule_for(policy, Access::write, "/srv/x/y/a") == "deny d");
    CHECK(rule_for(policy, Access::write, "/other") == "deny fs.write.outside-workspace");
}

TEST_CASE("an exception takes its tree out of a rule") {
    const Policy policy = load_user(
        rule("d", "access = 'read'\ndeny = '/srv/**'\nexcept = ['/srv/public', '/srv/*.txt']\n"));
    CHECK(rule_for(policy, Access::read, "/srv/x") == "deny d");
    CHECK(rule_for(policy, Access::read, "/srv/public/a/b") == "allow fs.read.default");
    CHECK(rule_for(policy, Access::read, "/srv/a.txt") == "allow fs.read.default");
    CHECK(rule_for(policy, Access::read, "/srv") == "allow fs.read.default");
}

TEST_CASE("a user's override sets a built-in refusal aside, a plain allow does not") {
    CHECK(rule_for(load_user(rule("a", "access = 'read'\nallow = '~/.aws/config'\n")), Access::read,
                   "/home/u/.aws/config") == "deny secret.cloud");
    const Policy policy =
        load_user(rule("a", "access = 'read'\nallow = '~/.aws/config'\noverride = true\n"));
    CHECK(rule_for(policy, Access::read, "/home/u/.aws/config") == "allow a");
    CHECK(rule_for(policy, Access::read, "/home/u/.aws/credentials") == "deny secret.cloud");
    CHECK(rule_for(policy, Access::write, "/home/u/.aws/config") == "deny secret.cloud");
}

TEST_CASE("an override never beats an administrator's or a workspace's refusal") {
    const Source admin{Level::admin, "a",
                       rule("corp", "access = 'read'\ndeny = '/home/u/.aws/config'\n")};
    const Source user{Level::user, "u",
                      rule("mine", "access = 'read'\nallow = '~/.aws'\noverride = true\n")};
    const Source workspace{Level::workspace, "w",
                           rule("repo", "access = 'read'\ndeny = '{home}/.aws/cli'\n")};
    const Policy policy = load_all({admin, user, workspace});
    CHECK(rule_for(policy, Access::read, "/home/u/.aws/config") == "deny corp");
    CHECK(rule_for(policy, Access::read, "/home/u/.aws/cli/x") == "deny repo");
    CHECK(rule_for(policy, Access::read, "/home/u/.aws/credentials") == "allow mine");
}

TEST_CASE("sbxsh's own records and policies stay out of reach whatever a user allows") {
    const Policy policy =
        load_user(rule("all", "access = ['read', 'write']\nallow = '/'\noverride = true\n"));
    CHECK(rule_for(policy, Access::write, "/home/u/.config/sbxsh/policy.toml") ==
          "deny sbxsh.policy");
    CHECK(rule_for(policy, Access::write, "/etc/sbxsh/policy.toml") == "deny sbxsh.policy");
    CHECK(rule_for(policy, Access::read, "/home/u/.local/state/sbxsh/audit.jsonl") ==
          "deny sbxsh.state");
    CHECK(rule_for(policy, Access::write, "/home/u/app/.sbxsh.toml") == "deny protect.policy");
    CHECK(rule_for(policy, Access::write, "/usr/bin/x") == "allow all");
}

TEST_CASE("an override covers parts of repositories too") {
    CHECK(rule_for(load_user(""), Access::write, "/home/u/app/.git/hooks/pre-commit") ==
          "deny git.hooks");
    const Policy policy = load_user(rule(
        "h", "access = 'write'\nallow = '{workspace}/.git/hooks/pre-commit'\noverride = true\n"));
    CHECK(rule_for(policy, Access::write, "/home/u/app/.git/hooks/pre-commit") == "allow h");
    CHECK(rule_for(policy, Access::write, "/home/u/app/.git/hooks/pre-push") == "deny git.hooks");
}

TEST_CASE("groups drop rules by name") {
    CHECK(rule_for(load_user(""), Access::write, "/home/u/.npm/x") == "allow fs.write.cache");
    CHECK(rule_for(load_user("[groups]\ncaches = false\n"), Access::write, "/home/u/.npm/x") ==
          "deny fs.write.outside-workspace");
    CHECK(rule_for(load_user("[groups]\nsecrets = false\n"), Access::read, "/home/u/.ssh/id_rsa") ==
          "allow fs.read.default");
    CHECK(rule_for(load_user("[groups]\ngit = false\n"), Access::write,
                   "/home/u/app/.git/hooks/x") == "allow fs.write.workspace");
    const Policy policy =
        load_all({{Level::admin, "a", rule("x", "access = 'read'\ndeny = '/x'\ngroup = 'soft'\n")},
                  {Level::user, "u", "[groups]\nsoft = false\n"}});
    CHECK(rule_for(policy, Access::read, "/x") == "allow fs.read.default");
}

TEST_CASE(
    "a group of permissions once dropped is not brought back by a lower level, protection is") {
    const Policy policy =
        load_all({{Level::admin, "a", "[groups]\ncaches = false\n"},
                  {Level::user, "u", "[groups]\ncaches = true\nsecrets = false\n"},
                  {Level::workspace, "w", "[groups]\nsecrets = true\n"}});
    CHECK(rule_for(policy, Access::write, "/home/u/.npm/x") == "deny fs.write.outside-workspace");
    CHECK(rule_for(policy, Access::read, "/home/u/.ssh/id_rsa") == "deny secret.ssh");
}

TEST_CASE(
    "a refused path that is a symbolic link stands for its target as well, with its exceptions") {
    FakeSurroundings surroundings;
    surroundings.resolved["/home/u/.ssh"] = {"/keys/ssh", {1, 7}};
    const Policy policy = load_user("", surroundings);
    CHECK(rule_for(policy, Access::read, "/home/u/.ssh/id_rsa") == "deny secret.ssh");
    CHECK(rule_for(policy, Access::read, "/keys/ssh/id_rsa") == "deny secret.ssh");
    CHECK(rule_for(policy, Access::read, "/keys/ssh/id_rsa.pub") == "allow fs.read.default");
    CHECK(rule_for(policy, Access::read, "/keys/other") == "allow fs.read.default");
}

TEST_CASE("a refused object is refused under every name") {
    FakeSurroundings surroundings;
    surroundings.resolved["/home/u/.netrc"] = {"", {5, 99}};
    const Policy policy = load_user("", surroundings);
    CHECK(rule_for(policy, Access::read, "/home/u/app/link", FakeTree(), {5, 99}) ==
          "deny secret.tokens");
    CHECK(rule_for(policy, Access::read, "/home/u/app/link", FakeTree(), {6, 99}) ==
          "allow fs.read.default");
    CHECK(rule_for(policy, Access::read, "/home/u/app/link", FakeTree(), {5, 98}) ==
          "allow fs.read.default");
}

TEST_CASE("rules know where they were written, and unnamed ones get a name") {
    const Policy policy =
        load_user("\n[[rule]]\naccess = 'read'\ndeny = '/a'\nreason = 'because'\n");
    const Decision decision = policy.decide(Access::read, "/a/b", {}, FakeTree());
    CHECK(decision.rule->id == "user.rule-1");
    CHECK(decision.rule->origin.text() == "user.toml:2");
    CHECK(decision.rule->reason == "because");
    CHECK(policy.decide(Access::write, "/etc/hosts", {}, FakeTree()).rule->origin.text() ==
          "built in");
    CHECK_NOTHROW(
        load_all({{Level::invocation, "--sbx-deny", "[[rule]]\naccess='read'\ndeny='/a'\n"},
                  {Level::invocation, "SBXSH_DENY", "[[rule]]\naccess='read'\ndeny='/b'\n"}}));
}

TEST_CASE("without a workspace nothing is writable because of it, and the reason says so") {
    Variables variables = usual_variables();
    variables.workspace.clear();
    const auto policy = load({}, variables, FakeSurroundings());
    REQUIRE(policy);
    const Decision decision = policy->decide(Access::write, "/home/u/x", {}, FakeTree());
    CHECK(decision.effect == Effect::deny);
    CHECK(decision.rule->reason == "only /tmp and tool caches are writable");
    CHECK(load_user("").decide(Access::write, "/x", {}, FakeTree()).rule->reason ==
          "only /home/u/app, /tmp and tool caches are writable");
    CHECK(load_user("[groups]\ncaches = false\ntemporary = false\n")
              .decide(Access::write, "/x", {}, FakeTree())
              .rule->reason == "only /home/u/app is writable");
}

TEST_CASE("an example whose variables have no value here does not stop the policy") {
    Variables variables = usual_variables();
    variables.workspace.clear();
    const std::string text =
        rule("d", "access = 'read'\ndeny = 'data/**'\nmatch = 'data/x'\nnot-match = 'src'\n");
    CHECK(load({{Level::user, "u", text}}, variables, FakeSurroundings()));
    CHECK(try_load({{Level::user, "u", text}}));
}
