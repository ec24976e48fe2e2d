// Which accesses a command line makes plain by its words.
#include "ctl/operands.h"

#include <doctest/doctest.h>

#include <algorithm>

using Texts = std::vector<std::string>;

namespace {

/// "ACCESS DIRECTORY|PATH" for each access, then "? PART" for what is unknown.
Texts accesses(std::string_view text) {
    Texts result;
    const ctl::PlainAccesses plain = ctl::plain_accesses(text, "/w", "/home/u");
    for (const ctl::PlainAccess& one : plain.found) {
        result.push_back(std::string(policy::name(one.access)) + " " + one.directory + "|" +
                         one.path);
    }
    for (const std::string& part : plain.unknown) result.push_back("? " + part);
    return result;
}

}  // namespace

TEST_CASE("redirections read and write, duplications and here-documents do not") {
    CHECK(accesses("x < a > b >> c 2> d &> e <> f >| g") ==
          Texts{"read /w|a", "write /w|b", "write /w|c", "write /w|d", "write /w|e", "write /w|f",
                "write /w|g"});
    CHECK(accesses("x 2>&1 >&2 <&3 2>&- <<E <<< word\nE\n").empty());
    CHECK(accesses("x >& both") == Texts{"write /w|both"});
    CHECK(accesses("x > $out") == Texts{"? > $out"});
}

TEST_CASE("the operands of well-known programs are files") {
    CHECK(accesses("cat -n a b") == Texts{"read /w|a", "read /w|b"});
    CHECK(accesses("cp -r a b c") == Texts{"read /w|a", "read /w|b", "write /w|c"});
    CHECK(accesses("mv a b") == Texts{"write /w|a", "write /w|b"});
    CHECK(accesses("rm -rf -- -x") == Texts{"write /w|-x"});
    CHECK(accesses("grep x a | tee b") == Texts{"read /w|a", "write /w|b"});
    CHECK(accesses("sed -i s/x/y/ a") == Texts{"write /w|a"});
    CHECK(accesses("sed s/x/y/ a") == Texts{"read /w|a"});
    CHECK(accesses("chmod +x a") == Texts{"write /w|a"});
    CHECK(accesses("cat -").empty());
}

TEST_CASE("a program that is named by its path is executed") {
    CHECK(accesses("./configure") == Texts{"execute /w|./configure"});
    CHECK(accesses("/bin/cat a") == Texts{"execute /w|/bin/cat", "read /w|a"});
}

TEST_CASE("the home directory is known in its usual spellings") {
    CHECK(accesses("cat ~/a $HOME/b \"${HOME}/c\"") ==
          Texts{"read /w|/home/u/a", "read /w|/home/u/b", "read /w|/home/u/c"});
    CHECK(accesses("cat '~/a' \"~/b\"") == Texts{"read /w|~/a", "read /w|~/b"});
    CHECK(accesses("cat ~other/a") == Texts{"? cat ~other/a"});
}

TEST_CASE("a constant cd counts for what follows") {
    CHECK(accesses("cat a; cd sub && cat b; cd /x; cat c; cd; cat d") ==
          Texts{"read /w|a", "read /w/sub|b", "read /x|c", "read /home/u|d"});
}

TEST_CASE("what only running would tell is said to be unknown") {
    CHECK(accesses("rm -rf $X") == Texts{"? rm -rf $X"});
    CHECK(accesses("rm *.o") == Texts{"? rm *.o"});
    CHECK(accesses("make install") == Texts{"? make install"});
    CHECK(accesses("$cmd a") == Texts{"? $cmd a"});
    CHECK(accesses("make") == Texts{});
    CHECK(accesses("").empty());
}

TEST_CASE("scripts inside the line are read too") {
    const Texts found = accesses("sh -c 'cat a > b'");
    CHECK(std::find(found.begin(), found.end(), "read /w|a") != found.end());
    CHECK(std::find(found.begin(), found.end(), "write /w|b") != found.end());
}
