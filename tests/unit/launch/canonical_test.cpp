// Paths without symbolic links.
#include "launch/canonical.h"

#include <doctest/doctest.h>

#include "scratch.h"

using launch::canonical;

TEST_CASE("links, dots and doubled slashes are resolved, what does not exist is kept") {
    const scratch::Directory directory;
    directory.make("real/inner");
    REQUIRE(symlink("real", (directory / "link").c_str()) == 0);
    CHECK(canonical(directory / "link//inner/../inner/.") == directory / "real/inner");
    CHECK(canonical(directory / "link/absent//deep/./file") == directory / "real/absent/deep/file");
    CHECK(canonical("/") == "/");
    CHECK(canonical("//sbxsh-absent") == "/sbxsh-absent");
}

TEST_CASE("a link that leads to nothing stands for what it would lead to") {
    const scratch::Directory directory;
    directory.make("real");
    REQUIRE(symlink("real/absent", (directory / "relative").c_str()) == 0);
    REQUIRE(symlink((directory / "real/other").c_str(), (directory / "absolute").c_str()) == 0);
    REQUIRE(symlink("loop", (directory / "loop").c_str()) == 0);
    CHECK(canonical(directory / "relative") == directory / "real/absent");
    CHECK(canonical(directory / "relative/x") == directory / "real/absent/x");
    CHECK(canonical(directory / "absolute") == directory / "real/other");
    CHECK(canonical(directory / "loop") == directory / "loop");
}

TEST_CASE("a path that cannot be known is none") {
    CHECK(!canonical(""));
    CHECK(!canonical("relative"));
    CHECK(!canonical("/sbxsh-absent/../etc"));
}

TEST_CASE("a directory holds itself and what is below it, not what only begins alike") {
    CHECK(launch::is_within("/a", "/a"));
    CHECK(launch::is_within("/a/b", "/a"));
    CHECK(launch::is_within("/a", "/"));
    CHECK(!launch::is_within("/ab", "/a"));
    CHECK(!launch::is_within("/", "/a"));
    CHECK(!launch::is_within("/a", ""));
}
