// Variables and alternatives in patterns.
#include "policy/expand.h"

#include <doctest/doctest.h>

#include "fake_tree.h"

using namespace policy;
using Texts = std::vector<std::string>;

namespace {

Texts expand(std::string_view text, const Variables& variables = usual_variables()) {
    Glob::Problem problem;
    const auto expanded =
        expand_pattern(text, VariableTable(variables, VariableTable::Reach::named), problem);
    REQUIRE_MESSAGE(expanded, problem.what);
    return *expanded;
}

std::string problem_of(std::string_view text) {
    Glob::Problem problem;
    CHECK_FALSE(expand_pattern(text, VariableTable(usual_variables(), VariableTable::Reach::named),
                               problem));
    return std::to_string(problem.offset) + ": " + problem.what;
}

}  // namespace

TEST_CASE("variables stand for their values, several of them repeat the pattern") {
    CHECK(expand("{home}/.ssh") == Texts{"/home/u/.ssh"});
    Variables variables = usual_variables();
    variables.temporary = {"/tmp", "/var/tmp"};
    CHECK(expand("{tmp}/x", variables) == Texts{"/tmp/x", "/var/tmp/x"});
    variables.extra_workspace = {"/repo/.git"};
    CHECK(expand("{workspace}", variables) == Texts{"/home/u/app", "/repo/.git"});
}

TEST_CASE("an empty variable drops the pattern") {
    Variables variables = usual_variables();
    variables.runtime.clear();
    CHECK(expand("{runtime}/bus", variables).empty());
}

TEST_CASE("values of variables are literal whatever bytes they have") {
    Variables variables = usual_variables();
    variables.workspace = "/w/[a]{b,c}*";
    const Texts texts = expand("{workspace}/x", variables);
    REQUIRE(texts.size() == 1);
    Glob::Problem problem;
    CHECK(Pattern::compile(texts[0], problem)->prefix() == "/w/[a]{b,c}*/x");
}

TEST_CASE("alternatives nest and may hold variables") {
    CHECK(expand("/a/{b,c}/d") == Texts{"/a/b/d", "/a/c/d"});
    CHECK(expand("/a{,/b{1,2}}") == Texts{"/a", "/a/b1", "/a/b2"});
    CHECK(expand("{{home},/x}/y") == Texts{"/home/u/y", "/x/y"});
    CHECK(expand("/a\\{b,c}") == Texts{"/a\\{b,c}"});
}

TEST_CASE("a tilde is the home, and a relative pattern is one below the workspace") {
    CHECK(expand("~/x") == Texts{"/home/u/x"});
    CHECK(expand("~") == Texts{"/home/u"});
    CHECK(expand("data/**") == Texts{"/home/u/app/data/**"});
}

TEST_CASE("the built-in rules reach usual places beside those that XDG variables name") {
    Variables variables = usual_variables();
    variables.config = "/conf";
    Glob::Problem problem;
    CHECK(expand_pattern("{config}/gh", VariableTable(variables, VariableTable::Reach::everywhere),
                         problem) == Texts{"/conf/gh", "/home/u/.config/gh"});
    CHECK(expand("{config}/gh", variables) == Texts{"/conf/gh"});
}

TEST_CASE("what cannot be expanded is refused with the place") {
    CHECK(problem_of("{hom}/x") == "0: unknown variable '{hom}'");
    CHECK(problem_of("/a/{b}") == "3: unknown variable '{b}'");
    CHECK(problem_of("/a/{b,c") == "3: '{' is never closed");
    CHECK(problem_of("") == "0: an empty pattern");
    CHECK(problem_of("/{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2,3,4,5,6,7,8,9,0}{1,2}")
              .ends_with("more than 1024 alternatives"));
}
