// How we were called.
#include "launch/invocation.h"

#include <doctest/doctest.h>

using launch::parse_invocation;

TEST_CASE("everything that is not ours reaches the interpreter byte for byte") {
    const std::vector<std::string> rest = {"-c", "echo '\xff\x01'\n", "", "--sbx-policy", "*"};
    std::vector<std::string> argv = {"-/usr/lib/sbxsh/bin/bash", "--sbx-diagnostics=off"};
    argv.insert(argv.end(), rest.begin(), rest.end());
    const auto invocation = parse_invocation(argv, {});
    REQUIRE(invocation);
    CHECK(invocation->arguments[0] == "-/usr/lib/sbxsh/bin/bash");
    CHECK(std::vector<std::string>(invocation->arguments.begin() + 1,
                                   invocation->arguments.end()) == rest);
    CHECK(invocation->shell_name == "bash");
}

TEST_CASE("our own name asks for a shell") {
    CHECK(launch::shell_asked_for("bash") == "bash");
    CHECK(launch::shell_asked_for("-bash") == "bash");
    CHECK(launch::shell_asked_for("rbash") == "bash");
    CHECK(launch::shell_asked_for("/x/y/sh") == "sh");
    CHECK(launch::shell_asked_for("./dash") == "dash");
    CHECK(launch::shell_asked_for("-zsh") == "zsh");
    CHECK(launch::shell_asked_for("/usr/bin/sbxsh").empty());
    CHECK(launch::shell_asked_for("bash5").empty());
    CHECK(launch::shell_asked_for("").empty());
}

TEST_CASE("an empty argv is read as our own name alone") {
    const auto invocation = parse_invocation({}, {});
    REQUIRE(invocation);
    CHECK(invocation->arguments == std::vector<std::string>{"sbxsh"});
}

TEST_CASE("the arguments are read as those of the interpreter that is run") {
    const auto invocation = parse_invocation({"sbxsh", "-O", "extglob", "-c", "x"}, {});
    REQUIRE(invocation);
    CHECK(launch::shell_use(*invocation, "/usr/bin/bash").command == "x");
    CHECK(launch::shell_use(*invocation, "/usr/bin/dash").input ==
          launch::ShellUse::Input::nothing);
}
