// What a command line runs, wherever it is written.
#include "command/outline.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

/// The commands' texts, one a line.
std::string commands(std::string_view text) {
    std::string out;
    for (const auto& command : command::outline(text).commands) {
        out += std::string(text.substr(command.span.begin, command.span.size())) + "\n";
    }
    return out;
}

std::string redirections(std::string_view text) {
    std::string out;
    for (const auto& site : command::outline(text).redirections) {
        out += std::string(text.substr(site.span.begin, site.span.size())) + " of " +
               std::string(text.substr(site.owner.begin, site.owner.size())) + "\n";
    }
    return out;
}

}  // namespace

TEST_CASE("nested commands are listed in the order of their beginnings") {
    CHECK(commands("a $(b `c`) | { d <(e); } && f() { g \"$(h)\"; }; for i in $(j); do k; done") ==
          "a $(b `c`)\nb `c`\nc\nd <(e)\ne\ng \"$(h)\"\nh\nj\nk\n");
    CHECK(commands("cat <<E\n$(a)\nE\n") == "cat <<E\na\n");
    CHECK(commands("x=$(a) ; case $(b) in $(c)) ;; esac; [[ $(d) ]]; (( $(e) )); ${x:-$(f)} $((1 + "
                   "$(g)))") == "x=$(a)\na\nb\nc\nd\ne\n${x:-$(f)} $((1 + $(g)))\nf\ng\n");
}

TEST_CASE("redirections know the command that they belong to") {
    CHECK(
        redirections("cd a && echo b >> /etc/hosts; while a; do b 2>c; done <d") ==
        ">> /etc/hosts of echo b >> /etc/hosts\n2>c of b 2>c\n<d of while a; do b 2>c; done <d\n");
}

TEST_CASE("scripts handed to eval and to a shell's -c are looked into") {
    CHECK(commands("bash -c 'a b; c'") == "bash -c 'a b; c'\na b\nc\n");
    CHECK(commands("eval 'a b' \"c | d\"") == "eval 'a b' \"c | d\"\na b' \"c\nd\n");
    CHECK(commands("env X=1 /bin/sh -eo pipefail -c \"touch \\\"q r\\\"\" x") ==
          "env X=1 /bin/sh -eo pipefail -c \"touch \\\"q r\\\"\" x\ntouch \\\"q r\\\"\n");
    CHECK(commands("bash -lc \"bash -c 'a >b'\"") ==
          "bash -lc \"bash -c 'a >b'\"\nbash -c 'a >b'\na >b\n");
    CHECK(redirections("bash -c 'echo x >> .vscode/s'") == ">> .vscode/s of echo x >> .vscode/s\n");
}

TEST_CASE("a script operand that is not constant, or a file, is not looked into") {
    CHECK(commands("bash -c \"a $b\"") == "bash -c \"a $b\"\n");
    CHECK(commands("bash file 'a b'") == "bash file 'a b'\n");
    CHECK(commands("echo bash -c 'a b'") == "echo bash -c 'a b'\n");
    CHECK(commands("eval \"$x\"") == "eval \"$x\"\n");
}

TEST_CASE("values and tails of words") {
    const auto outline = command::outline("cp 'a b' \"$d\"/c ~/e");
    REQUIRE(outline.commands.size() == 1);
    const auto& words = outline.commands[0].words;
    CHECK(words[1].value == "a b");
    CHECK_FALSE(words[2].value);
    CHECK(words[2].tail == "/c");
    CHECK(words[2].expands);
    CHECK(words[3].tail == "~/e");
    CHECK_FALSE(words[3].expands);
}

TEST_CASE("a command with a here-document knows where that ends") {
    const std::string_view text = "cat > f <<E\nx\nE\necho";
    const auto outline = command::outline(text);
    REQUIRE(outline.commands.size() == 2);
    CHECK(outline.commands[0].heredoc);
    CHECK(text.substr(0, outline.commands[0].end) == "cat > f <<E\nx\nE\n");
}

TEST_CASE("quoted scripts in quoted scripts come to an end") {
    std::string text =
        "eval eval eval eval eval eval eval eval eval eval eval eval eval eval eval eval eval x";
    CHECK(command::outline(text).commands.size() >= 5);
    for (int i = 0; i < 5000; ++i) text += " eval 'a;b'";
    CHECK(command::outline(text).commands.size() >= 5);
}

TEST_CASE("a command inside quotes is told from one that stands as it runs") {
    const auto outline = command::outline("a $(b) `c` \"$(d)\"; eval 'e'");
    std::string verbatim;
    for (const auto& command : outline.commands) verbatim += command.verbatim ? '+' : '-';
    CHECK(verbatim == "++-++-");
}
