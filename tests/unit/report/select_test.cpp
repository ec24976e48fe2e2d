// What is told, what is not, and in which order.
#include "report/select.h"

#include <doctest/doctest.h>

#include "denials.h"

namespace {

using report::by;
using report::by_shell;
using report::Context;
using report::Denial;
using report::Format;
using report::write_denial;

/// The objects told, in order, and "+N" for more.
std::string told(const std::vector<Denial>& denials, const Context& context,
                 unsigned long dropped = 0) {
    const report::CommandLine line(context.command, context.cwd);
    const report::Selection selection = report::select(denials, dropped, context, line, 5);
    std::string out;
    for (const auto& item : selection.items) out += item.denial->object + " ";
    return out + (selection.more > 0 ? "+" + std::to_string(selection.more) : "");
}

Context context_of(std::string text, int status = 0) {
    Context context;
    context.command = std::move(text);
    context.cwd = "/w";
    context.wait_status = status;
    return context;
}

Denial probe(std::string object, std::uint64_t sequence) {
    Denial denial = write_denial(std::move(object));
    denial.process = {5, "/usr/bin/prog", {"prog"}};
    denial.sequence = sequence;
    return denial;
}

}  // namespace

TEST_CASE("a program that probes and carries on is not told of") {
    CHECK(told({probe("/a", 1)}, context_of("prog")) == "");
    CHECK(report::render(Format::text, {probe("/a", 1)}, 7, context_of("prog")).empty());
    CHECK(report::render(Format::json, {}, 0, context_of("prog", 256)).empty());
}

TEST_CASE("it is told when the process or the command line failed") {
    Denial failed = probe("/a", 1);
    failed.failed = true;
    CHECK(told({failed}, context_of("prog || true")) == "/a ");
    CHECK(told({probe("/a", 1)}, context_of("prog", 256)) == "/a ");
    CHECK(told({probe("/a", 1)}, context_of("prog", 9)) == "/a ");
}

TEST_CASE("the shell's own redirection is told whatever the status") {
    CHECK(told({by_shell(write_denial("/w/x"))}, context_of("echo > x; true")) == "/w/x ");
    CHECK(told({by_shell(write_denial("/w/x"))}, context_of("echo > $f; true")) == "/w/x ");
    CHECK(told({by_shell(write_denial("/w/x"))}, context_of("")) == "/w/x ");
    Denial read = by_shell(write_denial("/w/x"));
    read.access = "read";
    CHECK(told({read}, context_of("cat < x; true")) == "/w/x ");
    CHECK(told({read}, context_of("cat < $f; true")) == "/w/x ");
    CHECK(told({read}, context_of("echo *; true")) == "");
}

TEST_CASE(
    "a call past the sandbox that a helper of a program tried is told when the program failed") {
    Denial apart = probe("mount", 1);
    apart.access = "kernel";
    apart.between = {{6, "/usr/bin/bash", {"ldd"}}};
    CHECK(told({apart}, context_of("ldd x | grep y", 256)) == "");
    apart.failed = true;
    CHECK(told({apart}, context_of("ldd x || true")) == "mount ");
    Denial itself = probe("mount", 1);
    itself.access = "kernel";
    CHECK(told({itself}, context_of("prog | grep y", 256)) == "mount ");
}

TEST_CASE("the shell's terminal at the start and its own history are not told of") {
    const Denial terminal = by_shell(write_denial("/dev/tty"));
    CHECK(told({terminal}, context_of("false", 256)) == "");
    CHECK(told({terminal}, context_of("echo > /dev/tty", 256)) == "/dev/tty ");
    CHECK(told({by_shell(write_denial("/dev/tt"))}, context_of("false", 256)) == "/dev/tt ");
    const Denial history = by_shell(write_denial("/home/u/.bash_history"));
    Context session = context_of("");
    CHECK(told({history}, session) == "/home/u/.bash_history ");
    session.session = report::Session::interactive;
    CHECK(told({history}, session) == "");
    CHECK(told({by_shell(write_denial("/home/u/.bash_history-1234.tmp"))}, session) == "");
    CHECK(told({by_shell(write_denial("/home/u/.bashrc"))}, session) == "/home/u/.bashrc ");
    session.wait_status = 256;
    CHECK(told({probe("/home/u/.bash_history", 1)}, session) == "/home/u/.bash_history ");
}

TEST_CASE("each rule and object is told once") {
    Denial other = probe("/a", 3);
    other.rule = "other";
    CHECK(told({probe("/a", 1), probe("/a", 2), other}, context_of("prog", 256)) == "/a /a ");
}

TEST_CASE("redirections come first, then what failed, the last first, and the rest is counted") {
    Denial failed = probe("/f", 2);
    failed.failed = true;
    Denial later = probe("/g", 9);
    later.failed = true;
    Denial redirection = by_shell(write_denial("/r"));
    CHECK(told({probe("/a", 1), failed, redirection, later, probe("/b", 8), probe("/c", 7)},
               context_of("x", 256), 4) == "/r /g /f /b /c +5");
}

TEST_CASE("what was seen goes before what is likely") {
    Denial likely = probe("/l", 9);
    likely.likely = true;
    CHECK(told({likely, probe("/a", 1)}, context_of("x", 256)) == "/a /l ");
    Denial seen = probe("/l", 1);
    const report::CommandLine line("x", "/");
    CHECK_FALSE(
        report::select({likely, seen}, 0, context_of("x", 256), line, 5).items[0].denial->likely);
}
