// Reading git's config language, and the judgement on changes.
#include "policy/git_config.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using policy::GitSetting;
using policy::parse_git_config;
using policy::unsafe_git_changes;

namespace {

using Keys = std::vector<std::string>;

std::vector<GitSetting> parsed(std::string_view text) {
    auto settings = parse_git_config(text);
    REQUIRE(settings.has_value());
    return *settings;
}

std::string refusal(std::string_view text) {
    const auto settings = parse_git_config(text);
    return settings ? "accepted" : settings.error().message();
}

Keys changed(std::string_view before, std::string_view after, const Keys& extra = {}) {
    return unsafe_git_changes(parsed(before), parsed(after), extra, "/w/.git", "/w");
}

Keys added(std::string_view text) {
    return changed("", text);
}

}  // namespace

TEST_CASE("sections and variables are lower case, new style subsections are kept") {
    CHECK(
        parsed(
            "[Core]\n\tBare = false\n[remote \"Origin.X\"]\n url = A\n[Branch.Main]\nMerge=m\n") ==
        std::vector<GitSetting>{
            {"core.bare", "false"}, {"remote.Origin.X.url", "A"}, {"branch.main.merge", "m"}});
}

TEST_CASE("values are unquoted, unescaped, trimmed and joined over continued lines") {
    CHECK(parsed("[a]\n"
                 "b = \"x ; y\" # comment\n"
                 "c =   one   two   ; comment\n"
                 "d = a\\\n  b\\tc\\n\\\\\\\"\n"
                 "e\n"
                 "f =\n"
                 "g = \"x \"y \n") == std::vector<GitSetting>{{"a.b", "x ; y"},
                                                              {"a.c", "one   two"},
                                                              {"a.d", "a  b\tc\n\\\""},
                                                              {"a.e", "true"},
                                                              {"a.f", ""},
                                                              {"a.g", "x y"}});
}

TEST_CASE("a byte order mark, DOS line ends, and a section and variable in one line are read") {
    CHECK(parsed("\xEF\xBB\xBF[a]\r\nb = c\r\n[d] e = f") ==
          std::vector<GitSetting>{{"a.b", "c"}, {"d.e", "f"}});
}

TEST_CASE("a text that git rejects is an error that names the line") {
    CHECK(refusal("[a]\nb = \"x\n") ==
          "line 3: cannot read as git configuration: bad variable or value");
    CHECK(refusal("[a]\nb = \\x\n") ==
          "line 2: cannot read as git configuration: bad variable or value");
    CHECK(refusal("[a\n") == "line 2: cannot read as git configuration: bad section header");
    CHECK(refusal("[]\n") == "line 1: cannot read as git configuration: bad section header");
    CHECK(refusal("[a]\n1b = c\n") ==
          "line 2: cannot read as git configuration: neither a section nor a variable");
    CHECK(refusal("\xEF\xBB[a]\n") ==
          "line 1: cannot read as git configuration: neither a section nor a variable");
}

TEST_CASE("a NUL byte, at which git would cut a name short, is an error") {
    CHECK(refusal(std::string("[core \"fsmonitor\0\"] x = touch\n", 30)) ==
          "cannot read as git configuration: has a NUL byte");
}

TEST_CASE("a text beyond the limit is an error, one at the limit is not") {
    std::string text(policy::git_config_limit, '\n');
    CHECK(refusal(text) == "accepted");
    text += '\n';
    CHECK(refusal(text) == "cannot read as git configuration: longer than 1048576 bytes");
}

TEST_CASE("keys that make git run, read or trust something are named, sorted and once") {
    CHECK(
        added(
            "[core]\n hooksPath = h\n fsmonitor = touch x\n sshCommand = s\n pager = p\n editor = "
            "e\n"
            " hooksPath = i\n[user]\n email = a@b\n[alias]\n x = !sh\n[include]\n path = p\n"
            "[includeIf \"gitdir:/\"]\n path = p\n[filter \"x\"]\n clean = c\n smudge = s\n"
            "[diff \"x\"]\n textconv = t\n command = c\n[merge \"x\"]\n driver = d\n"
            "[credential]\n helper = h\n[url \"a\"]\n insteadOf = b\n[protocol \"ext\"]\n allow = "
            "always\n"
            "[gpg \"ssh\"]\n program = p\n[gpg]\n program = p\n[rebase]\n instructionFormat = %n\n"
            "[http]\n proxy = p\n[http \"https://a\"]\n extraHeader = h\n[trailer \"t\"]\n command "
            "= c\n"
            "[remote \"o\"]\n uploadpack = u\n vcs = v\n proxy = p\n[submodule \"s\"]\n update = "
            "!sh\n") == Keys{"alias.x",
                             "core.editor",
                             "core.fsmonitor",
                             "core.hookspath",
                             "core.pager",
                             "core.sshcommand",
                             "credential.helper",
                             "diff.x.command",
                             "diff.x.textconv",
                             "filter.x.clean",
                             "filter.x.smudge",
                             "gpg.program",
                             "gpg.ssh.program",
                             "http.https://a.extraheader",
                             "http.proxy",
                             "include.path",
                             "includeif.gitdir:/.path",
                             "merge.x.driver",
                             "protocol.ext.allow",
                             "rebase.instructionformat",
                             "remote.o.proxy",
                             "remote.o.uploadpack",
                             "remote.o.vcs",
                             "submodule.s.update",
                             "trailer.t.command",
                             "url.a.insteadof"});
}

TEST_CASE("an unknown key and a key without a section are unsafe") {
    CHECK(added("[brandnew]\n key = v\n[core]\n nosuchkey = 1\n[core \"\"]\n bare = true\n") ==
          Keys{"brandnew.key", "core..bare", "core.nosuchkey"});
    CHECK(added("key = v\n") == Keys{"key"});
}

TEST_CASE("what everyday use writes passes") {
    CHECK(added("[core]\n repositoryformatversion = 1\n filemode = true\n bare = false\n "
                "logallrefupdates = true\n"
                " sparseCheckout = true\n sparseCheckoutCone = true\n[extensions]\n worktreeConfig "
                "= true\n"
                " partialClone = origin\n objectformat = sha256\n[remote \"origin\"]\n url = "
                "git@host:a/b.git\n"
                " fetch = +refs/heads/*:refs/remotes/origin/*\n promisor = true\n "
                "partialclonefilter = blob:none\n"
                " gh-resolved = base\n tagOpt = --no-tags\n mirror = true\n pushurl = https://h/x\n"
                "[branch \"main\"]\n remote = origin\n merge = refs/heads/main\n rebase = true\n "
                "description = d\n"
                " pushRemote = fork\n[user]\n name = n\n email = e\n signingKey = k\n[commit]\n "
                "gpgsign = true\n"
                "[submodule \"lib\"]\n active = true\n url = ../lib\n update = "
                "rebase\n[submodule]\n active = .\n"
                "[gc]\n auto = 0\n[maintenance]\n auto = false\n strategy = incremental\n"
                "[gitflow \"branch\"]\n master = main\n[gitflow \"branch.feature/x\"]\n base = "
                "develop\n"
                "[pager]\n log = false\n[remotes]\n all = origin fork\n") == Keys{});
}

TEST_CASE("what did not change passes, whatever it is") {
    const char* text = "[core]\n hooksPath = h\n[alias]\n x = !a\n x = !b\n";
    CHECK(changed(text, text) == Keys{});
    CHECK(changed(text, std::string("[user]\n name = n\n") + text) == Keys{});
}

TEST_CASE("a changed, repeated, reordered or removed unsafe value is named") {
    CHECK(changed("[core]\n hooksPath = a\n", "[core]\n hooksPath = b\n") ==
          Keys{"core.hookspath"});
    CHECK(changed("[core]\n hooksPath = a\n", "[core]\n hooksPath = a\n hooksPath = a\n") ==
          Keys{"core.hookspath"});
    CHECK(changed("[credential]\n helper = \n helper = a\n",
                  "[credential]\n helper = a\n helper = \n") == Keys{"credential.helper"});
    CHECK(changed("[core]\n hooksPath = /dev/null\n", "") == Keys{"core.hookspath"});
}

TEST_CASE("a harmless key may be removed") {
    CHECK(changed("[remote \"a\"]\n url = ext::sh\n[branch \"b\"]\n remote = a\n", "") == Keys{});
}

TEST_CASE("a remote's URL passes unless a helper program or an option would come of it") {
    const auto verdict = [](const std::string& url) {
        return added("[remote \"o\"]\n url = \"" + url + "\"\n").empty();
    };
    for (const char* url :
         {"https://h/p", "http://h/p", "git://h/p", "ssh://u@h:22/p", "git+ssh://h/p", "file:///p",
          "/p", "../p", "p", "h:p", "u@h:p", "[::1]:p", "ssh://[::1]/p", "C:/p", "./a::b"}) {
        CHECK_MESSAGE(verdict(url), url);
    }
    for (const char* url :
         {"ext::sh -c touch", "fd::3", "my_helper::x", "ext://sh", "s3://b/p", "-uevil",
          "--upload-pack=x", "ssh://-oProxyCommand=x/p", "https://h/\\nhost=x"}) {
        CHECK_MESSAGE(!verdict(url), url);
    }
}

TEST_CASE("a branch's remote and a group of remotes may be URLs and are judged as such") {
    CHECK(
        added(
            "[branch \"b\"]\n remote = ext::sh\n pushRemote = -x\n[remotes]\n g = origin ext::sh\n"
            "[remote]\n pushDefault = ext::sh\n") ==
        Keys{"branch.b.pushremote", "branch.b.remote", "remote.pushdefault", "remotes.g"});
}

TEST_CASE("a name that git would take for an option or a way out of modules/ is unsafe") {
    CHECK(added("[remote \"--upload-pack=x\"]\n url = https://h/p\n[submodule \"../../x\"]\n "
                "active = true\n"
                "[submodule \"a..b\"]\n active = true\n") ==
          Keys{"remote.--upload-pack=x.url", "submodule.../../x.active"});
}

TEST_CASE("core.fsmonitor passes as true or false, not as a command") {
    CHECK(added("[core]\n fsmonitor = true\n") == Keys{});
    CHECK(added("[core]\n fsmonitor\n") == Keys{});
    CHECK(added("[core]\n fsmonitor = false\n") == Keys{});
    CHECK(added("[core]\n fsmonitor = .git/true\n") == Keys{"core.fsmonitor"});
}

TEST_CASE("pager.<command> passes as a boolean, not as a command") {
    CHECK(added("[pager]\n log = no\n") == Keys{});
    CHECK(added("[pager]\n log = less -R\n") == Keys{"pager.log"});
}

TEST_CASE("core.worktree passes inside the workspace but not inside a git directory") {
    const auto verdict = [](const char* value, const char* base, const char* workspace) {
        return unsafe_git_changes({}, {{"core.worktree", value}}, {}, base, workspace).empty();
    };
    CHECK(verdict("../../../lib", "/w/.git/modules/lib", "/w"));
    CHECK(verdict("/w/lib", "/w/.git/modules/lib", "/w"));
    CHECK(verdict("..", "/w/.git", "/w"));
    CHECK_FALSE(verdict("../..", "/w/.git", "/w"));
    CHECK_FALSE(verdict("/wx", "/w/.git", "/w"));
    CHECK_FALSE(verdict("/etc", "/w/.git", "/w"));
    CHECK_FALSE(verdict("hooks", "/w/.git", "/w"));
    CHECK_FALSE(verdict("../.git/hooks", "/w/.git", "/w"));
    CHECK_FALSE(verdict("hooks", "/w/b.git", "/w"));
    CHECK_FALSE(verdict("", "/w/.git", "/w"));
    CHECK_FALSE(verdict("..", "/w/.git", ""));
    CHECK_FALSE(verdict("../../../../../../w/x", "/w/.git", "/w"));
}

TEST_CASE("a file that git reads as data passes inside the workspace") {
    CHECK(
        added("[commit]\n template = .gitmessage\n[blame]\n ignoreRevsFile = /w/.ignore-revs\n") ==
        Keys{});
    CHECK(added("[commit]\n template = ../x\n[blame]\n ignoreRevsFile = /etc/passwd\n"
                "[core]\n excludesFile = ~/x\n[diff]\n orderFile = .git/x\n") ==
          Keys{"blame.ignorerevsfile", "commit.template", "core.excludesfile", "diff.orderfile"});
}

TEST_CASE("keys that the policy allows pass, in any spelling of section and variable") {
    CHECK(changed("", "[gitflow \"path\"]\n hooks = h\n[core]\n hooksPath = .husky\n",
                  {"gitflow.*", "core.hooksPath"}) == Keys{});
    CHECK(changed("", "[filter \"lfs\"]\n clean = c\n[filter \"LFS\"]\n clean = c\n",
                  {"Filter.lfs.*"}) == Keys{"filter.LFS.clean"});
    CHECK(changed("", "[alias]\n x = y\n", {"alias.?y", "alia"}) == Keys{"alias.x"});
}
