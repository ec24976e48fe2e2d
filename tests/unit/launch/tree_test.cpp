// The real file system, as the policy's decisions may look at it.
#include "os/tree.h"

#include <doctest/doctest.h>

#include <cerrno>

#include "scratch.h"

using Kind = policy::Tree::Kind;

TEST_CASE("what stands at a path is told without following a link") {
    const scratch::Directory directory;
    directory.write("file", "x");
    directory.make("directory");
    REQUIRE(symlink("file", (directory / "link").c_str()) == 0);
    REQUIRE(mkfifo((directory / "fifo").c_str(), 0600) == 0);
    const os::RealTree tree;
    CHECK(tree.kind(directory / "file") == Kind::file);
    CHECK(tree.kind(directory / "directory") == Kind::directory);
    CHECK(tree.kind(directory / "link") == Kind::other);
    CHECK(tree.kind(directory / "fifo") == Kind::other);
    CHECK(tree.kind(directory / "absent") == Kind::absent);
    CHECK(tree.kind(directory / "file/below") == Kind::absent);
}

TEST_CASE("the content of a regular file is read up to the limit, nothing else is") {
    const scratch::Directory directory;
    const std::string text(10000, 'x');
    directory.write("file", text);
    directory.write("empty", "");
    REQUIRE(symlink("file", (directory / "link").c_str()) == 0);
    REQUIRE(mkfifo((directory / "fifo").c_str(), 0600) == 0);
    const os::RealTree tree;
    CHECK(tree.content(directory / "file", 10000) == text);
    CHECK(!tree.content(directory / "file", 9999));
    CHECK(tree.content(directory / "empty", 1) == "");
    CHECK(!tree.content(directory / "link", 20000));
    CHECK(!tree.content(directory / "fifo", 20000));
    CHECK(!tree.content(directory.path(), 20000));
    CHECK(!tree.content(directory / "absent", 20000));
}

TEST_CASE("reading a file tells why it cannot be read") {
    const scratch::Directory directory;
    directory.write("file", "12345");
    REQUIRE(symlink("file", (directory / "link").c_str()) == 0);
    REQUIRE(mkfifo((directory / "fifo").c_str(), 0600) == 0);
    const auto code = [&](const std::string& name, os::Links links) {
        const auto text = os::read_regular_file(directory / name, 4, links);
        return text ? 0 : text.error().code;
    };
    CHECK(code("file", os::Links::follow) == EFBIG);
    CHECK(code("link", os::Links::follow) == EFBIG);
    CHECK(code("link", os::Links::refuse) == ELOOP);
    CHECK(code("absent", os::Links::refuse) == ENOENT);
    CHECK(code("fifo", os::Links::refuse) == EINVAL);
    // Files of the kernel have content, but no size.
    CHECK(os::read_regular_file("/proc/self/stat", 4096, os::Links::follow).value().size() > 10);
    CHECK(os::read_regular_file("/proc/self/maps", 1 << 20, os::Links::follow).value().size() >
          1000);
}
