// Globs over raw bytes.
#include "policy/glob.h"

#include <doctest/doctest.h>

using policy::Glob;

namespace {

bool matches(std::string_view glob, std::string_view text,
             Glob::Slash slash = Glob::Slash::separator) {
    Glob::Problem problem;
    const auto compiled = Glob::compile(glob, slash, problem);
    REQUIRE_MESSAGE(compiled, problem.what);
    return compiled->matches(text);
}

std::string problem_of(std::string_view glob) {
    Glob::Problem problem;
    CHECK_FALSE(Glob::compile(glob, Glob::Slash::separator, problem));
    return std::to_string(problem.offset) + ": " + problem.what;
}

}  // namespace

TEST_CASE("a star and a question mark stay within a component") {
    CHECK(matches("*.c", "main.c"));
    CHECK(matches("*", ""));
    CHECK(matches("a*c*e", "abcde"));
    CHECK_FALSE(matches("*.c", "src/main.c"));
    CHECK(matches("ma?n.c", "main.c"));
    CHECK_FALSE(matches("a?b", "a/b"));
    CHECK_FALSE(matches("?", ""));
}

TEST_CASE("two stars cross components only where they are a whole component") {
    CHECK(matches("**/b", "b"));
    CHECK(matches("**/b", "a/x/b"));
    CHECK_FALSE(matches("**/b", "ab"));
    CHECK(matches("a/**/b", "a/b"));
    CHECK(matches("a/**/b", "a/x/y/b"));
    CHECK_FALSE(matches("a/**/b", "axb"));
    CHECK(matches("a/**", "a/x/y"));
    CHECK(matches("**", "a/b/c"));
    CHECK(matches("a**c", "abbc"));
    CHECK_FALSE(matches("a**c", "ab/c"));
}

TEST_CASE("sets know ranges, negation, classes and escapes, and never match a slash") {
    CHECK(matches("[a-c]", "b"));
    CHECK_FALSE(matches("[a-c]", "d"));
    CHECK(matches("[!a-c]", "d"));
    CHECK(matches("[^a-c]", "d"));
    CHECK_FALSE(matches("a[^x]b", "a/b"));
    CHECK(matches("[]x]", "]"));
    CHECK(matches("[!]x]", "a"));
    CHECK(matches("[a-]", "-"));
    CHECK(matches("[[:digit:]_]", "7"));
    CHECK(matches("[[:digit:]_]", "_"));
    CHECK_FALSE(matches("[[:upper:]]", "a"));
    CHECK(matches("[\\]]", "]"));
    CHECK(matches("[[a]", "["));
}

TEST_CASE("a backslash takes the next byte as it is, and any byte may stand in a glob") {
    CHECK(matches("\\*", "*"));
    CHECK_FALSE(matches("\\*", "a"));
    CHECK(matches("\xff?\n", "\xff\x01\n"));
}

TEST_CASE("in names without components a star matches slashes") {
    CHECK(matches("/tmp/*", "/tmp/a/b", Glob::Slash::ordinary));
    CHECK(matches("a?b", "a/b", Glob::Slash::ordinary));
}

TEST_CASE("a text that is no glob is refused with the place") {
    CHECK(problem_of("a[b") == "1: '[' is never closed");
    CHECK(problem_of("ab\\") == "2: '\\' at the end");
    CHECK(problem_of("x[[:digits:]]") == "2: unknown character class 'digits'");
    CHECK(problem_of(std::string(5000, 'a')) == "4096: longer than 4096 bytes");
}

TEST_CASE("a glob with many stars takes no exponential time") {
    std::string glob;
    for (int i = 0; i < 1000; ++i) glob += "*a";
    CHECK_FALSE(matches(glob + "b", std::string(3000, 'a')));
    CHECK(matches(glob, std::string(3000, 'a')));
}
