// Decisions that depend on files, on end points and on socket names; explanations.
#include <doctest/doctest.h>

#include <algorithm>

#include "fake_tree.h"
#include "policy/endpoint.h"
#include "policy/summary.h"

using namespace policy;

namespace {

FakeSurroundings with_ignore_files() {
    FakeSurroundings surroundings;
    surroundings.ignore_files = true;
    return surroundings;
}

std::string explain(const std::vector<Considered>& considered) {
    std::string text;
    for (const Considered& each : considered) {
        if (each.why == "does not match") continue;
        text += (each.matched ? "+ " : "- ") + each.rule->id + ": " + each.why + "\n";
    }
    return text;
}

bool connects(const Policy& policy, std::string_view endpoint) {
    return policy.decide(Access::connect, *parse_endpoint(endpoint)).allowed();
}

}  // namespace

TEST_CASE("what an ignore file names is out of reach, and the line is named") {
    const Policy policy = load_user("", with_ignore_files());
    const FakeTree tree({{"/home/u/app/.sbxignore", "*.key\n"}, {"/home/u/app/a.key", ""}});
    for (const Access access : {Access::read, Access::write}) {
        const Decision decision = policy.decide(access, "/home/u/app/a.key", {}, tree);
        CHECK(decision.effect == Effect::deny);
        CHECK(decision.rule->id == "fs.ignored");
        CHECK(decision.detail == ".sbxignore:1: *.key");
    }
    CHECK(rule_for(policy, Access::read, "/home/u/app/a.c", tree) == "allow fs.read.default");
    CHECK(rule_for(policy, Access::read, "/home/u/other/a.key", tree) == "allow fs.read.default");
    CHECK(policy.read_mode() == ReadMode::observed);
    CHECK(rule_for(load_user("[groups]\nignore-files = false\n", with_ignore_files()), Access::read,
                   "/home/u/app/a.key", tree) == "allow fs.read.default");
}

TEST_CASE("globs and questions about reads make reads observed, literal rules do not") {
    CHECK(load_user("[[rule]]\naccess='read'\ndeny='/srv/x'\n").read_mode() == ReadMode::fixed);
    CHECK(load_user("[[rule]]\naccess='read'\ndeny='{workspace}/**/*.env'\n").read_mode() ==
          ReadMode::observed);
    CHECK(load_user("[[rule]]\naccess='read'\nask='/srv/x'\n").read_mode() == ReadMode::observed);
    CHECK(load_user("[[rule]]\naccess='write'\ndeny='{workspace}/**/*.env'\n").read_mode() ==
          ReadMode::fixed);
}

TEST_CASE(
    "a secret file with several names makes reads observed, what only may not be written does "
    "not") {
    FakeSurroundings surroundings;
    surroundings.resolved["/home/u/.bashrc"] = {{}, {1, 7}, true};
    CHECK(load_user("", surroundings).read_mode() == ReadMode::fixed);
    surroundings.resolved["/home/u/.netrc"] = {{}, {1, 8}, true};
    CHECK(load_user("", surroundings).read_mode() == ReadMode::observed);
}

TEST_CASE("end points are decided by address and port") {
    const Policy policy = load_user(
        "[[rule]]\naccess='connect'\nallow=['10.0.0.0/8:443', "
        "'loopback:5432']\nexcept='10.0.0.1'\n[[rule]]\naccess='connect'\ndeny='10.9.0.0/16'\n");
    CHECK(connects(policy, "10.1.1.1:443"));
    CHECK(connects(policy, "127.0.0.1:5432"));
    CHECK_FALSE(connects(policy, "10.0.0.1:443"));
    CHECK_FALSE(connects(policy, "10.9.1.1:443"));
    CHECK_FALSE(connects(policy, "10.1.1.1:80"));
    CHECK_FALSE(connects(policy, "127.0.0.1:80"));
}

TEST_CASE("a socket can be allowed by path or abstract name, a well-known one only by override") {
    const Policy policy = load_user(
        "[[rule]]\naccess='unix-connect'\nallow=['/run/mine.sock', '@mine/*', "
        "'/run/docker.sock']\n");
    CHECK(policy.decide_unix(Access::unix_connect, "/run/mine.sock").allowed());
    CHECK(policy.decide_unix(Access::unix_connect, "@mine/a/b").allowed());
    CHECK_FALSE(policy.decide_unix(Access::unix_connect, "/run/docker.sock").allowed());
    CHECK(load_user("[[rule]]\naccess='unix-connect'\nallow='/run/docker.sock'\noverride=true\n")
              .decide_unix(Access::unix_connect, "/run/docker.sock")
              .allowed());
}

TEST_CASE("an explanation names every rule that bears on the access, and why") {
    const Policy policy =
        load_user("[[rule]]\nid='mine'\naccess='read'\nallow='~/.ssh/id_deploy'\noverride=true\n");
    CHECK(explain(policy.consider(Access::read, "/home/u/.ssh/id_deploy", {}, FakeTree())) ==
          "- secret.ssh: overridden by rule mine\n+ mine: matches /home/u/.ssh/id_deploy\n+ "
          "fs.read.default: holds where no other rule matches\n");
    CHECK(explain(policy.consider(Access::read, "/home/u/.ssh/id.pub", {}, FakeTree())) ==
          "- secret.ssh: excepted by /home/u/.ssh/*.pub\n+ fs.read.default: holds where no other "
          "rule matches\n");
    CHECK(explain(policy.consider(Access::write, "/home/u/app/.git/hooks/x", {}, FakeTree())) ==
          "+ git.hooks: is such a part of a git repository\n"
          "- git.config: is no such part of a git repository, or refused before\n"
          "- git.attributes: is no such part of a git repository, or refused before\n"
          "- git.pointer: is no such part of a git repository, or refused before\n"
          "+ fs.write.workspace: matches /home/u/app\n"
          "+ fs.write.outside-workspace: holds where no other rule matches\n");
    CHECK(explain(policy.consider_unix(Access::unix_connect, "@/tmp/dbus-x")) ==
          "+ unix.dbus: matches @/tmp/dbus-*\n+ unix.connect.default: holds where no other rule "
          "matches\n");
    CHECK(explain(policy.consider(Access::bind, *parse_endpoint("127.0.0.1:80"))) ==
          "+ net.bind.loopback: matches loopback\n+ net.bind.default: holds where no other rule "
          "matches\n");
    CHECK(explain(policy.consider_outside(Access::signal)) ==
          "+ process.signal.outside: holds where no other rule matches\n");
}

TEST_CASE("the first rule that an explanation marks as matched is the one that decides") {
    const Policy policy = load_user(
        "[[rule]]\naccess=['read','write']\nask='/srv'\n[[rule]]\naccess='write'\ndeny='/srv/a'\n",
        with_ignore_files());
    FakeTree tree;
    tree.add("/home/u/app/.sbxignore", "*.key\n");
    for (const char* path :
         {"/srv/a", "/srv/b", "/home/u/app/a.key", "/home/u/app/x", "/home/u/app/.vscode/x",
          "/home/u/.ssh/x", "/dev/null", "/home/u/app/.git/config"}) {
        for (const Access access : {Access::read, Access::write}) {
            const auto considered = policy.consider(access, path, {}, tree);
            const auto first = std::find_if(considered.begin(), considered.end(),
                                            [](const Considered& each) { return each.matched; });
            CHECK_MESSAGE(first->rule == policy.decide(access, path, {}, tree).rule, path);
        }
    }
}

TEST_CASE("writable roots are the literal directories that rules allow") {
    const auto roots =
        load_user("[[rule]]\naccess='write'\nallow=['/srv/out', '/srv/*.log']\n").writable_roots();
    const auto has = [&](const char* root) {
        return std::find(roots.begin(), roots.end(), root) != roots.end();
    };
    CHECK(has("/srv/out"));
    CHECK(has("/home/u/app"));
    CHECK(has("/tmp"));
    CHECK(has("/home/u/.npm"));
    CHECK_FALSE(has("/srv/*.log"));
}

TEST_CASE("secrets are removed from the environment, and what only looks like one stays") {
    using Names = std::vector<std::string_view>;
    const Names secrets{
        "GH_TOKEN",      "NPM_TOKEN",    "CLIENT_SECRET",         "OPENAI_API_KEY",
        "DB_PASSWORD",   "PGPASSWORD",   "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
        "SSH_AUTH_SOCK", "DATABASE_URL", "npm_config__auth",      "MY_TOKEN_FILE"};
    CHECK(load_user("").scrub(secrets) == secrets);
    CHECK(load_user("")
              .scrub({"PATH", "HOME", "AWS_REGION", "AWS_PROFILE", "MAX_TOKEN_LIMIT",
                      "TOKENIZERS_PARALLELISM", "TERM", "XAUTHORITY", "KEYBOARD", "PASSENGER",
                      "CLAUDE_CODE_MAX_OUTPUT_TOKENS", ""})
              .empty());
    CHECK(load_user("[environment]\nkeep='GH_TOKEN'\nremove='MY_*'\n")
              .scrub({"GH_TOKEN", "MY_VAR"}) == Names{"MY_VAR"});
    CHECK(load_user("[groups]\nenvironment=false\n").scrub(secrets).empty());
    const auto policy = try_load({{Level::admin, "a", "[environment]\nremove='CORP_*'\n"},
                                  {Level::user, "u", "[environment]\nkeep='*'\n"}});
    REQUIRE(policy);
    CHECK(policy->scrub({"CORP_X", "GH_TOKEN"}) == Names{"CORP_X"});
}

TEST_CASE("a summary sorts the rules by what they speak of") {
    const Policy policy = load_user(
        "[[rule]]\nid='out'\naccess=['read','write']\nallow='/srv/"
        "out'\n[environment]\nremove='X_*'\n");
    const Summary summary = policy.summary();
    const auto has = [](const std::vector<Summary::Entry>& entries, std::string_view id) {
        return std::any_of(entries.begin(), entries.end(),
                           [&](const Summary::Entry& entry) { return entry.rule->id == id; });
    };
    CHECK(summary.workspace == "/home/u/app");
    CHECK(has(summary.unreadable, "secret.ssh"));
    CHECK(has(summary.readable, "out"));
    CHECK(has(summary.writable, "out"));
    CHECK(has(summary.writable, "fs.write.cache"));
    CHECK(has(summary.guarded, "protect.editor"));
    CHECK(has(summary.guarded, "git.hooks"));
    CHECK(has(summary.network, "net.bind.loopback"));
    CHECK(has(summary.sockets, "unix.docker"));
    CHECK(summary.defaults.size() == 11);
    CHECK(summary.removed_variables.front() == "X_*");
    CHECK(summary.unreadable.front().patterns == std::vector<std::string>{"/home/u/.ssh"});
}
