// Which part of a command line a denial is pinned to.
#include "report/locate.h"

#include <doctest/doctest.h>

#include "denials.h"

namespace {

using report::by;
using report::by_shell;
using report::Denial;
using report::Location;
using report::write_denial;

/// "redirection: TEXT", "command: TEXT" or "none".
std::string where(std::string_view text, const Denial& denial,
                  std::string_view cwd = "/home/u/app") {
    const report::CommandLine line(text, cwd);
    const Location location = report::locate(line, denial);
    if (location.kind == Location::Kind::none) return "none";
    const std::string what =
        location.kind == Location::Kind::redirection ? "redirection: " : "command: ";
    return what + std::string(text.substr(location.span.begin, location.span.size()));
}

std::string rerun(std::string_view text, const Denial& denial) {
    const Location location = report::locate(report::CommandLine(text, "/w"), denial);
    return std::string(text.substr(location.rerun.begin, location.rerun.size()));
}

}  // namespace

TEST_CASE("a path is resolved by its letters") {
    CHECK(report::lexical("a/../b/./c//d/", "/w") == "/w/b/c/d");
    CHECK(report::lexical("../../..", "/w") == "/");
    CHECK(report::lexical("/x/..", "") == "/");
    CHECK(report::lexical("a", "/") == "/a");
    CHECK(report::lexical("a", "").empty());
}

TEST_CASE("an act of the shell is pinned to the redirection onto the object") {
    const Denial hosts = by_shell(write_denial());
    CHECK(where("cd b && echo x >> /etc/hosts", hosts) == "redirection: >> /etc/hosts");
    CHECK(where("a > f; b 2> ../../../etc/hosts; c > g", hosts) ==
          "redirection: 2> ../../../etc/hosts");
    CHECK(where("echo \"$(a &>'/etc/hosts')\"", hosts) == "redirection: &>'/etc/hosts'");
    CHECK(where("a < /etc/hosts; a > /etc/hosts", hosts) == "redirection: > /etc/hosts");
    CHECK(where("cat <<E >/etc/hosts\n> /etc/hosts\nE\n", hosts) == "redirection: >/etc/hosts");
    CHECK(where("{ a; b; } > /etc/hosts", hosts) == "redirection: > /etc/hosts");
    CHECK(where("eval 'a > /etc/hosts'", hosts) == "redirection: > /etc/hosts");
}

TEST_CASE("a target known in part matches by its last component, an exact one is preferred") {
    const Denial hosts = by_shell(write_denial());
    CHECK(where("a > $d/hosts", hosts) == "redirection: > $d/hosts");
    CHECK(where("cd /etc; a > hosts", hosts) == "redirection: > hosts");
    CHECK(where("a > hosts; b > /etc/hosts", hosts) == "redirection: > /etc/hosts");
    CHECK(where("a > $dhosts", hosts) == "none");
    CHECK(where("a > x$p.hosts", hosts) == "none");
    CHECK(where("a > other", hosts) == "none");
}

TEST_CASE("a connection by the shell is pinned to its /dev/tcp redirection") {
    Denial denial = by_shell(write_denial("10.0.0.1:80 (tcp)"));
    denial.access = "connect";
    CHECK(where("echo x >/dev/tcp/10.0.0.1/80", denial) == "redirection: >/dev/tcp/10.0.0.1/80");
    CHECK(where("exec 3<>/dev/tcp/db/80 4<>/dev/tcp/db/81", denial) ==
          "redirection: 3<>/dev/tcp/db/80");
    CHECK(where("echo x >/dev/udp/10.0.0.1/80", denial) == "none");
}

TEST_CASE("a builtin that names the object is found") {
    Denial denial = by_shell(write_denial("/home/u/.ssh/id"));
    denial.access = "read";
    CHECK(where("a; source /home/u/.ssh/id", denial) == "command: source /home/u/.ssh/id");
    denial.access = "signal";
    denial.object = "process 12 (sshd)";
    CHECK(where("echo 12; kill -9 12", denial) == "command: kill -9 12");
}

TEST_CASE("a program is pinned to the command of its name, the arguments decide between several") {
    const Denial touch = by(write_denial(), "/usr/bin/touch", {"touch", "/etc/hosts"});
    CHECK(where("touch a; touch /etc/hosts; touch b", touch) == "command: touch /etc/hosts");
    CHECK(where("touch \"$x\"; touch \"$y\"", touch) == "command: touch \"$x\"");
    CHECK(where("a | /usr/bin/touch $f", touch) == "command: /usr/bin/touch $f");
    CHECK(where("env A=1 touch /etc/hosts", touch) == "command: env A=1 touch /etc/hosts");
    CHECK(where("find . -exec touch {} \\;", touch) == "command: find . -exec touch {} \\;");
    CHECK(where("echo \"$(touch /etc/hosts)\"", touch) == "command: touch /etc/hosts");
    CHECK(where("cp a b", touch) == "none");
}

TEST_CASE("the name may be that of a link or of a script") {
    CHECK(where("awk 1", by(write_denial(), "/usr/bin/mawk", {"awk", "1"})) == "command: awk 1");
    CHECK(where("echo; npm i", by(write_denial(), "/usr/bin/node",
                                  {"node", "/usr/bin/npm", "i"})) == "command: npm i");
    CHECK(where("echo; npm i", by(write_denial(), "/usr/bin/node", {"npm i"})) == "command: npm i");
    CHECK(where("./x.sh a", by(write_denial(), "/usr/bin/bash", {"/bin/bash", "./x.sh", "a"})) ==
          "command: ./x.sh a");
}

TEST_CASE("a child is pinned to the command that the shell started") {
    const Denial cc1 =
        by(write_denial(), "/usr/lib/gcc/cc1", {"cc1", "-o", "/etc/hosts"},
           {{41, "/usr/bin/gcc", {"gcc", "x.c"}}, {40, "/usr/bin/make", {"make", "-j4"}}});
    CHECK(where("gcc --version && make -j4 && echo", cc1) == "command: make -j4");
}

TEST_CASE("a script in quotes is looked into when its shell was found") {
    const report::Process bash{40, "/usr/bin/bash", {"bash", "-c", "touch a; echo x >> .vscode/s"}};
    const std::string text = "touch b; bash -c 'touch a; echo x >> .vscode/s'";
    CHECK(where(text, by(write_denial("/w/a"), "/usr/bin/touch", {"touch", "a"}, {bash})) ==
          "command: touch a");
    Denial redirected = by(write_denial("/home/u/app/.vscode/s"), bash.program, bash.argv);
    CHECK(where(text, redirected) == "redirection: >> .vscode/s");
}

TEST_CASE("what to run again is the typed command with its here-document") {
    const Denial hosts = by_shell(write_denial());
    CHECK(rerun("a; cat <<E >/etc/hosts; b\nx\nE\nc", hosts) == "cat <<E >/etc/hosts; b\nx\nE\n");
    CHECK(rerun("a; { b; c; } >/etc/hosts; d", hosts) == "{ b; c; } >/etc/hosts");
    CHECK(rerun("a; eval \"b >\\\"/etc/hosts\\\"\"; d", hosts) == "eval \"b >\\\"/etc/hosts\\\"\"");
}
