// Ignore files in memory; ignore_compare_test.cpp compares with git.
#include "policy/ignore.h"

#include <doctest/doctest.h>

#include "fake_tree.h"

using namespace policy;

namespace {

std::string ignored(const FakeTree& tree, std::string_view path) {
    const auto found = find_ignored(tree, "/w", path);
    return found ? found->detail : "";
}

}  // namespace

TEST_CASE("the last matching line decides, and says where it stands") {
    FakeTree tree({{"/w/.sbxignore", "# secrets\n*.key\n!public.key\n"},
                   {"/w/a/b.key", ""},
                   {"/w/public.key", ""}});
    CHECK(ignored(tree, "/w/a/b.key") == ".sbxignore:2: *.key");
    CHECK(ignored(tree, "/w/public.key").empty());
    CHECK(ignored(tree, "/w/a").empty());
    CHECK(ignored(tree, "/w").empty());
    CHECK(ignored(tree, "/elsewhere/x.key").empty());
}

TEST_CASE("below an ignored directory nothing is included again") {
    FakeTree tree(
        {{"/w/.sbxignore", "private/\n!private/open.txt\n"}, {"/w/private/open.txt", ""}});
    CHECK(ignored(tree, "/w/private/open.txt") == ".sbxignore:1: private/");
    CHECK(ignored(tree, "/w/private") == ".sbxignore:1: private/");
}

TEST_CASE("a nested file speaks for its directory and wins over those above") {
    FakeTree tree({{"/w/.sbxignore", "*.env\n/top\n"},
                   {"/w/sub/.sbxignore", "!dev.env\n/top\n"},
                   {"/w/sub/dev.env", ""},
                   {"/w/sub/prod.env", ""},
                   {"/w/sub/top", ""},
                   {"/w/other/top", ""}});
    CHECK(ignored(tree, "/w/sub/dev.env").empty());
    CHECK(ignored(tree, "/w/sub/prod.env") == ".sbxignore:1: *.env");
    CHECK(ignored(tree, "/w/sub/top") == "sub/.sbxignore:2: /top");
    CHECK(ignored(tree, "/w/other/top").empty());
}

TEST_CASE("both names of ignore files count, .sbxignore first") {
    FakeTree tree({{"/w/.cursorignore", "*.pem\n*.crt\n"},
                   {"/w/.sbxignore", "!*.crt\n"},
                   {"/w/a.pem", ""},
                   {"/w/a.crt", ""}});
    CHECK(ignored(tree, "/w/a.pem") == ".cursorignore:1: *.pem");
    CHECK(ignored(tree, "/w/a.crt").empty());
}

TEST_CASE("a line for directories spares files, but not what does not exist yet") {
    FakeTree tree({{"/w/.sbxignore", "build/\n"}, {"/w/x/build", "a file"}, {"/w/y/build/o", ""}});
    CHECK(ignored(tree, "/w/x/build").empty());
    CHECK(ignored(tree, "/w/y/build") == ".sbxignore:1: build/");
    CHECK(ignored(tree, "/w/z/build") == ".sbxignore:1: build/");
}

TEST_CASE("spaces, carriage returns, byte order marks and escapes mean what they mean to git") {
    FakeTree tree({{"/w/.sbxignore",
                    "\xEF\xBB\xBF"
                    "a  \r\nb\\ \n\\#c\n\\!d\n"},
                   {"/w/a", ""},
                   {"/w/b ", ""},
                   {"/w/#c", ""},
                   {"/w/!d", ""}});
    CHECK(ignored(tree, "/w/a") == ".sbxignore:1: a");
    CHECK(ignored(tree, "/w/b ") == ".sbxignore:2: b\\ ");
    CHECK(ignored(tree, "/w/#c") == ".sbxignore:3: \\#c");
    CHECK(ignored(tree, "/w/!d") == ".sbxignore:4: \\!d");
}

TEST_CASE("an ignore file that cannot be understood puts its directory out of reach") {
    FakeTree tree({{"/w/sub/.sbxignore", std::string((1 << 20) + 1, 'a')},
                   {"/w/sub/x", ""},
                   {"/w/long/.sbxignore", std::string(5000, 'a')}});
    CHECK(ignored(tree, "/w/sub/x") ==
          "sub/.sbxignore cannot be read, so all beside it is out of reach");
    CHECK(ignored(tree, "/w/long/x") ==
          "long/.sbxignore has lines above 4096 bytes, so all beside it is out of reach");
    CHECK(ignored(tree, "/w/x").empty());
}
