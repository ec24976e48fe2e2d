// Path patterns as automata.
#include "policy/pattern.h"

#include <doctest/doctest.h>

using policy::Glob;
using policy::Pattern;
using Fit = policy::Pattern::Fit;

namespace {

Pattern pattern(std::string_view text) {
    Glob::Problem problem;
    auto compiled = Pattern::compile(text, problem);
    REQUIRE_MESSAGE(compiled, problem.what);
    return *compiled;
}

std::string problem_of(std::string_view text) {
    Glob::Problem problem;
    CHECK_FALSE(Pattern::compile(text, problem));
    return std::to_string(problem.offset) + ": " + problem.what;
}

}  // namespace

TEST_CASE("a pattern matches its path and everything below it") {
    const Pattern secret = pattern("/home/u/.ssh");
    CHECK(secret.fit("/home/u/.ssh") == Fit::match);
    CHECK(secret.fit("/home/u/.ssh/id/x") == Fit::match);
    CHECK(secret.fit("/home/u/.sshx") == Fit::none);
    CHECK(secret.fit("/home/u") == Fit::below);
    CHECK(secret.fit("/") == Fit::below);
    CHECK(secret.fit("/home/v") == Fit::none);
    CHECK(secret.fit("/home/u/.ss") == Fit::none);
}

TEST_CASE("the root as a pattern matches all") {
    CHECK(pattern("/").fit("/") == Fit::match);
    CHECK(pattern("/").fit("/a/b") == Fit::match);
}

TEST_CASE("wildcards match components, two stars any number of them") {
    const Pattern any = pattern("/w/**/.vscode");
    CHECK(any.matches("/w/.vscode"));
    CHECK(any.matches("/w/a/b/.vscode/settings.json"));
    CHECK(any.fit("/w/a") == Fit::below);
    CHECK(any.fit("/x/.vscode") == Fit::none);
    const Pattern one = pattern("/w/*/x?.c");
    CHECK(one.matches("/w/a/xy.c"));
    CHECK(one.fit("/w/a/b/xy.c") == Fit::none);
    CHECK(one.fit("/w/a/z") == Fit::none);
}

TEST_CASE("a trailing two stars means all below a directory, not the directory") {
    const Pattern below = pattern("/dev/**");
    CHECK(below.fit("/dev") == Fit::below);
    CHECK(below.fit("/dev/sda") == Fit::match);
    CHECK(below.fit("/dev/disk/x") == Fit::match);
    CHECK(below.is_decidable());
    CHECK_FALSE(below.is_literal());
}

TEST_CASE("doubled slashes and dots vanish, and a backslash makes a literal") {
    CHECK(pattern("//a/./b/").prefix() == "/a/b");
    CHECK(pattern("/a/\\*b").prefix() == "/a/*b");
    CHECK(pattern("/a/\\*b").is_literal());
}

TEST_CASE("stepping through components gives the state of the whole path") {
    for (const std::string_view text : {"/a/b", "/a/**/b/c*", "/**/x", "/a/*/c", "/"}) {
        const Pattern each = pattern(text);
        for (const std::string_view path : {"/a/b", "/a/b/c", "/a/x/b/c1", "/q", "/a/x/c"}) {
            Pattern::State state = each.state("/");
            for (std::size_t at = 1; at <= path.size();) {
                const std::size_t end = std::min(path.find('/', at), path.size());
                state = each.advance(state, path.substr(at, end - at));
                at = end + 1;
            }
            CHECK_MESSAGE(state == each.state(path), text << " on " << path);
        }
    }
}

TEST_CASE("a pattern moves with the directory that it is in") {
    const auto moved = pattern("/home/u/.ssh/*.pub").moved("/home/u/.ssh", "/keys");
    REQUIRE(moved);
    CHECK(moved->matches("/keys/id.pub"));
    CHECK(moved->text() == "/keys/*.pub");
    CHECK_FALSE(pattern("/home/u/x").moved("/home/u/.ssh", "/keys"));
}

TEST_CASE("a pattern can be put below a directory, whatever bytes that has") {
    CHECK(pattern("/**/x").below("/a*b").matches("/a*b/c/x"));
    CHECK_FALSE(pattern("/**/x").below("/a*b").matches("/acb/c/x"));
    CHECK(pattern("/**/x").below("/a*b").text() == "/a*b/**/x");
    CHECK(pattern("/y").below("/a").prefix() == "/a/y");
    CHECK(pattern("/y").below("").is_literal());
}

TEST_CASE("patterns that cannot compile say where") {
    CHECK(problem_of("/a/../b") == "3: '..' in a pattern");
    CHECK(problem_of("/a/b[c") == "4: '[' is never closed");
    CHECK(problem_of("/a/b\\") == "4: '\\' at the end of a component");
    std::string deep = "/*";
    for (int i = 0; i < 70; ++i) deep += "/a";
    CHECK(problem_of(deep) == "125: more than 62 components");
}
