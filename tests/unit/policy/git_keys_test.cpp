// The table of git's configuration keys.
#include "policy/git_keys.h"

#include <doctest/doctest.h>

#include <string>

using policy::git_key_rule;
using policy::git_key_rules;
using policy::GitKeyKind;

TEST_CASE("the most exact row decides") {
    CHECK(git_key_rule("http.https://a.b/.postbuffer").kind == GitKeyKind::data);
    CHECK(git_key_rule("http.https://a.b/.proxy").kind == GitKeyKind::unsafe);
    CHECK(git_key_rule("gitflow.branch.master").pattern == "gitflow.branch.*");
    CHECK(git_key_rule("gitflow.branch.feature/x.base").pattern == "gitflow.*.base");
    CHECK(git_key_rule("gitflow.path.hooks").kind == GitKeyKind::unsafe);
    CHECK(git_key_rule("feature.manyfiles").kind == GitKeyKind::data);
    CHECK(git_key_rule("feature.other").kind == GitKeyKind::unsafe);
}

TEST_CASE("a key that no row names is unknown") {
    for (const char* key : {"", ".", "core", "core.", "core.unheardof", "core.bare.x", "core..bare",
                            "nosuch.key", "*.bare", "Core.bare"}) {
        CHECK_MESSAGE(git_key_rule(key).kind == GitKeyKind::unknown, key);
    }
}

TEST_CASE("rows are lower case with two or three parts, and only choices have values") {
    for (const auto& rule : git_key_rules()) {
        const std::string pattern(rule.pattern);
        CHECK_MESSAGE(pattern.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ ") == std::string::npos,
                      pattern);
        CHECK_MESSAGE(pattern.find('.') != std::string::npos, pattern);
        CHECK_MESSAGE(rule.kind != GitKeyKind::unknown, pattern);
        CHECK_MESSAGE((rule.kind == GitKeyKind::choice) == !rule.choices.empty(), pattern);
    }
}

TEST_CASE(
    "no row lets a whole family pass but those that are only displayed, and pager's booleans") {
    for (const auto& rule : git_key_rules()) {
        if (!rule.pattern.ends_with(".*") || rule.kind == GitKeyKind::unsafe) continue;
        const std::string_view section = rule.pattern.substr(0, rule.pattern.find('.'));
        const bool displayed = section == "advice" || section == "color" || section == "column" ||
                               section == "pretty" || section == "pager" || section == "remotes" ||
                               section == "notes" || section == "gitflow";
        CHECK_MESSAGE(displayed, std::string(rule.pattern));
    }
}
