// What a policy file may say, and the whole text of each error.
#include "policy/document.h"

#include <doctest/doctest.h>

#include "fake_tree.h"

using namespace policy;

namespace {

// The whole error: message and remedy.
std::string error_of(const std::vector<Source>& sources) {
    const core::Result<Policy> policy = try_load(sources);
    if (policy) return "no error";
    return policy.error().message() + "\n" + policy.error().remedy;
}

std::string user_error(std::string text) {
    return error_of({{Level::user, "p.toml", std::move(text)}});
}
std::string workspace_error(std::string text) {
    return error_of({{Level::workspace, "w.toml", std::move(text)}});
}

}  // namespace

TEST_CASE("a file with all that the schema knows loads") {
    CHECK(error_of({{Level::admin, "a.toml", R"(
[[rule]]
id = "corp.no-prod"
access = ["read", "write"]
deny = ["/srv/prod/**", "{home}/prod{,-old}"]
except = "/srv/prod/README"
reason = "production data"
match = "/srv/prod/x"
not-match = ["/srv/prod/README", "/srv"]
locked = true
group = "corp"

[[rule]]
access = "connect"
allow = "10.0.0.0/8:443"
match = "10.1.2.3:443"
not-match = "11.1.2.3:443"

[[rule]]
access = "unix-connect"
allow = ["@mine/*", "/run/mine.sock"]
match = ["@mine/x", "/run/mine.sock"]

[groups]
caches = false

[environment]
remove = ["CORP_*"]
keep = "CORP_NAME"

[git]
allow-config = ["gitflow.*"]

[shell]
interpreter = "/bin/bash"

[report]
diagnostics = "line"

)"}}) == "no error");
}

TEST_CASE("settings are handed out") {
    const Policy policy = load_user(
        "[git]\nallow-config = ['gitflow.*']\n[shell]\ninterpreter = "
        "'/bin/zsh'\n[report]\ndiagnostics = 'off'\n");
    CHECK(policy.settings().git_allowed_config == std::vector<std::string>{"gitflow.*"});
    CHECK(policy.settings().interpreter == "/bin/zsh");
    CHECK(policy.settings().diagnostics == "off");
    CHECK_FALSE(load_user("").settings().interpreter);
}

TEST_CASE("broken TOML that the parser did not think of is an error") {
    CHECK(user_error("[[[x]]]") ==
          "p.toml: cannot load policy: broken TOML: unexpected characters\n"
          "correct the syntax; see sbxsh-policy(5)");
}

TEST_CASE("broken TOML is an error with its place") {
    CHECK(user_error("[[rule]]\naccess = \"read\"\ndeny = \"/a\n") ==
          "p.toml:3:11: cannot load policy: broken TOML: parsing string: unescaped control "
          "characters "
          "other than TAB (U+0009) are explicitly prohibited\n"
          "correct the syntax; see sbxsh-policy(5)");
    CHECK(user_error("x = \n") ==
          "p.toml:1:5: cannot load policy: broken TOML: parsing key-value pair: expected value, "
          "saw '\\n'\n"
          "correct the syntax; see sbxsh-policy(5)");
}

TEST_CASE("unknown words are errors that guess what was meant") {
    CHECK(user_error("[[rule]]\naccess = 'write'\nalow = '/a'\n") ==
          "p.toml:3:1: cannot load policy: unknown key 'alow' in a rule\ndid you mean 'allow'?");
    CHECK(user_error("[rules]\n") ==
          "p.toml:1:2: cannot load policy: unknown key 'rules'\ndid you mean 'rule'?");
    CHECK(user_error("x = 1\n") ==
          "p.toml:1:1: cannot load policy: unknown key 'x'\nknown here: rule, groups, environment, "
          "git, shell, report");
    CHECK(user_error("[[rule]]\naccess = 'wrte'\nallow = '/a'\n") ==
          "p.toml:2:10: cannot load policy: unknown access 'wrte'\ndid you mean 'write'?");
    CHECK(user_error("[groups]\ncache = false\n") ==
          "p.toml:2:1: cannot load policy: unknown group 'cache'\ndid you mean 'caches'?");
    CHECK(
        user_error("[report]\ndiagnostics = 'xml'\n") ==
        "p.toml:2:15: cannot load policy: unknown diagnostics 'xml'\nknown: text, line, json, off");
}

TEST_CASE("wrong types are errors that say what to write") {
    CHECK(user_error("[[rule]]\naccess = 3\ndeny = '/a'\n") ==
          "p.toml:2:10: cannot load policy: 'access' is an integer here\nwrite a string or a list "
          "of strings");
    CHECK(user_error("[[rule]]\naccess = 'read'\ndeny = ['/a', 1]\n") ==
          "p.toml:3:15: cannot load policy: 'deny' is an integer here\nwrite a string or a list of "
          "strings");
    CHECK(user_error("[rule]\naccess = 'read'\n") ==
          "p.toml:1:1: cannot load policy: 'rule' is a table here\nwrite [[rule]], in double "
          "brackets");
    CHECK(user_error("[groups]\ncaches = 'no'\n") ==
          "p.toml:2:10: cannot load policy: 'caches' is a string here\nwrite true or false");
    CHECK(
        user_error("git = 1\n") ==
        "p.toml:1:7: cannot load policy: 'git' is an integer here\nwrite [git] and its keys below");
}

TEST_CASE("a rule says one thing about something") {
    CHECK(user_error("[[rule]]\ndeny = '/a'\n") ==
          "p.toml:1:1: cannot load policy: a rule without 'access'\nsay what it is about: access = "
          "\"write\"");
    CHECK(user_error("[[rule]]\naccess = 'read'\n") ==
          "p.toml:1:1: cannot load policy: a rule without 'allow', 'ask' or 'deny'\nsay what the "
          "rule does: deny = \"PATTERN\"");
    CHECK(user_error("[[rule]]\naccess = 'read'\nallow = '/a'\ndeny = '/b'\n") ==
          "p.toml:4:8: cannot load policy: a rule with more than one of 'allow', 'ask' and "
          "'deny'\nwrite one rule for each");
    CHECK(user_error("[[rule]]\naccess = ['read', 'connect']\ndeny = '/a'\n") ==
          "p.toml:1:1: cannot load policy: a rule for both 'read' and 'connect'\nwrite one rule "
          "for each: their objects are not alike");
    CHECK(user_error("[[rule]]\naccess = 'kernel'\nallow = '*'\n") ==
          "p.toml:1:1: cannot load policy: calls that reach past the sandbox cannot be "
          "allowed\nremove the rule");
    CHECK(user_error("[[rule]]\nid = 'git.hooks'\naccess = 'read'\ndeny = '/a'\n") ==
          "p.toml:2:6: cannot load policy: rule 'git.hooks' stands already in the built-in "
          "policy\ngive this rule another id");
}

TEST_CASE("patterns that cannot compile are errors at the place in the pattern") {
    CHECK(user_error("[[rule]]\naccess = 'read'\ndeny = '/a/b[c'\n") ==
          "p.toml:3:13: cannot load policy: pattern '/a/b[c': '[' is never closed\n"
          "put '\\' before a byte that is meant as it is; see sbxsh-policy(5)");
    CHECK(user_error("[[rule]]\naccess = 'read'\ndeny = '{hom}/x'\n") ==
          "p.toml:3:9: cannot load policy: pattern '{hom}/x': unknown variable '{hom}'\n"
          "known: {workspace} {home} {tmp} {cache} {config} {data} {state} {runtime} {gitruns}");
    CHECK(
        user_error("[[rule]]\naccess = 'connect'\nallow = 'example.org:80'\n") ==
        "p.toml:3:10: cannot load policy: pattern 'example.org:80': 'example.org' is no IP "
        "address, network, 'loopback' or "
        "'*'; host names cannot be used here\n"
        "write ADDRESS:PORT, as in 127.0.0.1:5432, [::1]:80, 10.0.0.0/8:443 or loopback:8000-8999");
    CHECK(user_error("[[rule]]\naccess = 'signal'\nallow = '/a'\n") ==
          "p.toml:3:10: cannot load policy: pattern '/a': this access has no objects to choose "
          "from\nwrite \"*\"");
    CHECK(user_error("[[rule]]\naccess = ['write', 'unix-connect']\nallow = '@a'\n") ==
          "p.toml:3:10: cannot load policy: pattern '@a': the name of an abstract socket\n"
          "use it with access unix-connect and unix-bind only");
}

TEST_CASE("examples that do not hold are errors") {
    CHECK(user_error("[[rule]]\nid = 'x'\naccess = 'read'\ndeny = '/a/*.key'\nmatch = ['/a/b.key', "
                     "'/a/b.pem']\n") ==
          "p.toml:5:22: cannot load policy: rule 'x' does not match its example '/a/b.pem'\n"
          "correct the rule's patterns, or the example");
    CHECK(user_error("[[rule]]\nid = 'x'\naccess = 'read'\ndeny = '/a'\nnot-match = '/a/b'\n") ==
          "p.toml:5:13: cannot load policy: rule 'x' matches its example '/a/b'\n"
          "correct the rule's patterns, or the example");
    CHECK(user_error("[[rule]]\naccess = 'read'\ndeny = '/a'\nmatch = '/a/*'\n") ==
          "p.toml:4:9: cannot load policy: example '/a/*' is a pattern\nwrite one path that the "
          "rule is meant for");
}

TEST_CASE("a workspace's policy can only tighten") {
    const std::string remedy = "\nwrite it into your own policy, ~/.config/sbxsh/policy.toml";
    CHECK(
        workspace_error("[[rule]]\naccess = 'write'\nallow = '/etc'\n") ==
        "w.toml:3:9: cannot load policy: 'allow' in a workspace's policy, which may only tighten" +
            remedy);
    CHECK(workspace_error("[[rule]]\naccess = 'write'\ndeny = '/etc'\noverride = true\n") ==
          "w.toml:4:12: cannot load policy: 'override' in a workspace's policy, which may only "
          "tighten" +
              remedy);
    CHECK(workspace_error("[groups]\nsecrets = false\n") ==
          "w.toml:2:1: cannot load policy: 'groups.secrets = false' in a workspace's policy, which "
          "may only tighten" +
              remedy);
    CHECK(workspace_error("[environment]\nkeep = ['GH_TOKEN']\n") ==
          "w.toml:2:8: cannot load policy: 'keep' in a workspace's policy, which may only tighten" +
              remedy);
    CHECK(workspace_error("[git]\nallow-config = ['alias.*']\n") ==
          "w.toml:2:16: cannot load policy: 'allow-config' in a workspace's policy, which may only "
          "tighten" +
              remedy);
    CHECK(workspace_error("[shell]\ninterpreter = '/tmp/evil'\n") ==
          "w.toml:2:15: cannot load policy: 'interpreter' in a workspace's policy, which may only "
          "tighten" +
              remedy);
    CHECK(workspace_error("[groups]\ncaches = false\n[environment]\nremove = 'X'\n[[rule]]\naccess "
                          "= 'read'\ndeny = 'data/**'\n") == "no error");
}

TEST_CASE("only the administrator locks, and what is locked stays") {
    CHECK(user_error("[[rule]]\naccess = 'read'\ndeny = '/a'\nlocked = true\n") ==
          "p.toml:4:10: cannot load policy: 'locked' outside the administrator's policy\n"
          "remove it: only /etc/sbxsh/policy.toml can lock rules");
    const Source admin{
        Level::admin, "/etc/sbxsh/policy.toml",
        "[[rule]]\nid = 'corp'\naccess = 'read'\ndeny = '/srv'\nlocked = true\ngroup = "
        "'corp'\n[groups]\nsecrets = true\n"};
    CHECK(error_of({admin, {Level::user, "p.toml", "[groups]\ncorp = false\n"}}) ==
          "p.toml:2:1: cannot load policy: group 'corp' has the rule 'corp', locked by "
          "/etc/sbxsh/policy.toml:1\n"
          "remove this line, or ask the administrator");
    CHECK(error_of({admin, {Level::user, "p.toml", "[groups]\nsecrets = false\n"}}) ==
          "p.toml:2:1: cannot load policy: group 'secrets' is kept by /etc/sbxsh/policy.toml:8\n"
          "remove this line, or ask the administrator");
    CHECK(error_of(
              {admin,
               {Level::user, "p.toml", "[[rule]]\nid = 'corp'\naccess = 'read'\ndeny = '/a'\n"}}) ==
          "p.toml:2:6: cannot load policy: rule 'corp' stands already in /etc/sbxsh/policy.toml:1 "
          "(locked)\n"
          "give this rule another id");
}

TEST_CASE("oversized files and NUL bytes are errors") {
    CHECK(user_error(std::string((1 << 20) + 1, '#')) ==
          "p.toml: cannot load policy: larger than 1 MiB\nuse fewer, wider patterns");
    CHECK(user_error("[[rule]]\naccess = 'read'\ndeny = \"/a\\u0000\"\n") ==
          "p.toml:3:8: cannot load policy: a NUL byte in 'deny'\nremove it");
}

TEST_CASE("the nearest word is found only when it is near") {
    CHECK(nearest("alow", {"allow", "ask", "deny"}) == "allow");
    CHECK(nearest("zzzzzz", {"allow", "ask", "deny"}).empty());
}
