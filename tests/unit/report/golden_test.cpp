// Whole reports, compared with the reviewed texts in tests/golden/report. UPDATE_GOLDEN=1 writes
// them anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "denials.h"
#include "report/report.h"

namespace {

using report::by;
using report::by_shell;
using report::Context;
using report::Denial;
using report::Elevation;
using report::Format;
using report::write_denial;

void check_golden(const std::string& name, const std::string& text) {
    const std::string path = std::string(GOLDEN_DIR) + "/" + name;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
    std::ifstream file(path);
    std::stringstream expected;
    expected << file.rdbuf();
    CAPTURE(name);
    CHECK(text == expected.str());
}

Context context(std::string command, Elevation elevation = Elevation::available) {
    Context out;
    out.command = std::move(command);
    out.cwd = "/home/u/app";
    out.elevation = elevation;
    out.wait_status = 256;
    return out;
}

Denial hook() {
    Denial denial = by(write_denial("/home/u/app/.git/config"), "/usr/bin/git",
                       {"git", "config", "core.fsmonitor", "x"});
    denial.operation = "rename to";
    denial.rule = "git.config";
    denial.reason = "this setting makes git run a program";
    denial.detail = "core.fsmonitor";
    return denial;
}

const std::string design = "cd build && make -j4 && echo \"10.0.0.1 db\" >> /etc/hosts";

}  // namespace

TEST_CASE("a redirection, marked, with the command that asks for it") {
    check_golden("redirection.txt",
                 render(Format::text, {by_shell(write_denial())}, 0, context(design)));
}

TEST_CASE("without elevation the help is a rule of the user's policy") {
    const Context without = context(design, Elevation::absent);
    check_golden("redirection-policy.txt",
                 render(Format::text, {by_shell(write_denial())}, 0, without));
    check_golden("git-config-policy.txt",
                 render(Format::text, {hook()}, 0,
                        context("git config core.fsmonitor x", Elevation::absent)));
}

TEST_CASE("help speaks of the user's rule where one can allow it, else of what refuses it") {
    const auto text = [](const Denial& denial) {
        return render(Format::text, {denial}, 0, context("git x", Elevation::absent));
    };
    Denial hooks = hook();
    hooks.rule = "git.hooks";
    hooks.detail.clear();
    check_golden("override-policy.txt", text(hooks));
    Denial many = hook();
    many.detail = "core.pager, alias.x";
    check_golden("git-keys-policy.txt", text(many));
    many.detail = "not in git's syntax: line 2";
    CHECK(text(many).find("allow-config") == std::string::npos);
    Denial admin = hook();
    admin.origin = "/etc/sbxsh/policy.toml:12";
    check_golden("admin-policy.txt", text(admin));
    Denial ignored = hook();
    ignored.rule = "fs.ignored";
    ignored.origin = "ignore file";
    ignored.detail = "/home/u/app/.sbxignore:3";
    check_golden("ignored-policy.txt", text(ignored));
    Denial glob = by(write_denial("/srv/a[1]{b}*\"\\c"), "/usr/bin/git", {"git", "x"});
    check_golden("pattern-policy.txt", text(glob));
    Denial connect = by(write_denial("[2001:db8::1]:443 (tcp)"), "/usr/bin/git", {"git", "x"});
    connect.access = "connect";
    connect.operation = "connect to";
    connect.rule = "net.connect.default";
    connect.grant = {"--net", "[2001:db8::1]:443"};
    check_golden("connect-policy.txt", text(connect));
}

TEST_CASE("a child of the marked command is named, with what started it") {
    const Denial cc1 =
        by(write_denial("/usr/include/x.h"), "/usr/lib/gcc/cc1", {"cc1", "x.c"},
           {{41, "/usr/bin/gcc", {"gcc", "x.c"}}, {40, "/usr/bin/make", {"make", "install"}}});
    check_golden("child.txt", render(Format::text, {cc1}, 0, context("make install || true")));
}

TEST_CASE("likely, repeated, noted and detailed") {
    Denial likely = by(write_denial("/home/u/.ssh/id_rsa"), "/usr/bin/scp",
                       {"scp", "-i", "/home/u/.ssh/id_rsa"});
    likely.access = "read";
    likely.operation = "read";
    likely.rule = "secret.ssh";
    likely.reason = "private keys";
    likely.likely = true;
    likely.grant = {"--read", "/home/u/.ssh/id_rsa"};
    likely.note = "its permissions would refuse it as well";
    Context repeated = context("scp -i ~/.ssh/id_rsa a b:");
    repeated.repetitions = {{"secret.ssh", "/home/u/.ssh/id_rsa", 2}};
    check_golden("likely.txt", render(Format::text, {likely}, 0, repeated));
    check_golden("likely-line.txt", render(Format::line, {likely, hook()}, 0, repeated));
}

TEST_CASE("a script of several lines, here-documents and tabs") {
    const std::string text = "set -e\nfor i in 1 2; do\n\tcat <<E > /etc/hosts\n$i it's\nE\ndone\n";
    check_golden("heredoc.txt", render(Format::text, {by_shell(write_denial())}, 0, context(text)));
}

TEST_CASE("without the command line the process speaks for itself") {
    const Denial touch = by(write_denial(), "/usr/bin/touch", {"touch", "/etc/hosts", "a b"});
    check_golden("script-file.txt",
                 render(Format::text, {touch, by_shell(write_denial("/etc/x"))}, 0, context("")));
}

TEST_CASE("more refusals than are shown are counted") {
    std::vector<Denial> many;
    for (int i = 0; i < 9; ++i) {
        many.push_back(by(write_denial("/etc/" + std::to_string(i)), "/usr/bin/touch", {"touch"}));
        many.back().sequence = static_cast<std::uint64_t>(i + 1);
    }
    check_golden("many.txt", render(Format::text, many, 3, context("touch /etc/{0..8}")));
    check_golden("many-line.txt", render(Format::line, many, 3, context("touch /etc/{0..8}")));
}

TEST_CASE("names from outside are printed harmlessly") {
    const std::string object =
        "/tmp/x\n  = rule: none\nsbxsh: blocked: write to /\x1b[2J\xe2\x80\xae"
        "abc\xff│ sbxsh: note: ok";
    Denial evil = by(write_denial(object), "/usr/bin/touch", {"touch\x1b", object});
    evil.rule = "ws.\x1b]0;x\x07";
    evil.origin = "/home/u/app/.sbxsh.toml:3";
    evil.reason = "line one\nsbxsh: blocked: nothing";
    const std::string text = "touch\x1b \"$(printf '\\n')\" \xe2\x80\xae";
    check_golden("hostile.txt", render(Format::text, {evil}, 0, context(text)));
    check_golden("hostile-policy.txt",
                 render(Format::text, {evil}, 0, context(text, Elevation::absent)));
    check_golden("hostile-line.txt", render(Format::line, {evil}, 0, context(text)));
    check_golden("hostile.json", render(Format::json, {evil}, 0, context(text)));
}

TEST_CASE("JSON lines") {
    Context json = context(design);
    json.repetitions = {{"fs.write.outside-workspace", "/etc/hosts", 3}};
    json.notes = {"reads are not observed"};
    check_golden("redirection.json", render(Format::json, {by_shell(write_denial())}, 2, json));
    check_golden("git-config.json",
                 render(Format::json, {hook()}, 0, context("true", Elevation::absent)));
}

TEST_CASE("what no permission can allow has no help but the explanation") {
    Denial denial = by(write_denial("mount"), "/usr/bin/mount", {"mount", "a", "b"});
    denial.access = "kernel";
    denial.operation = "use of";
    denial.rule = "kernel.call";
    denial.reason.clear();
    denial.grant.clear();
    check_golden("kernel.txt", render(Format::text, {denial}, 0, context("mount a b")));
    check_golden("kernel-policy.txt",
                 render(Format::text, {denial}, 0, context("mount a b", Elevation::absent)));
}
