// What one sandbox made is known to the next of the same workspace.
#include "linux/broker/registry.h"

#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <cstdlib>
#include <fstream>

using namespace linux_backend;

namespace {

struct TemporaryFile {
    std::string directory = "/tmp/registry-XXXXXX";
    std::string path;
    TemporaryFile() {
        REQUIRE(::mkdtemp(directory.data()) != nullptr);
        path = directory + "/sockets";
    }
    ~TemporaryFile() {
        ::unlink(path.c_str());
        ::rmdir(directory.c_str());
    }
};

}  // namespace

TEST_CASE("without a file a registry knows what it was told and nothing else") {
    Registry registry("");
    registry.add_unix({1, 2, 3});
    registry.add_internet(77, BoundTo::loopback);
    registry.add_abstract("name", 5);
    CHECK(registry.has_unix({1, 2, 3}));
    CHECK_FALSE(registry.has_unix({1, 2, 4}));
    BoundTo how = BoundTo::address;
    CHECK(registry.has_internet(77, how));
    CHECK(how == BoundTo::loopback);
    CHECK_FALSE(registry.has_internet(78, how));
    CHECK(registry.has_abstract("name", 5));
    CHECK_FALSE(registry.has_abstract("name", 6));
    CHECK_FALSE(registry.has_abstract("nam", 5));
}

TEST_CASE("a later registry finds what an earlier one made, also while both are in use") {
    const TemporaryFile file;
    Registry first(file.path, "boot");
    first.add_internet(1, BoundTo::loopback);
    Registry second(file.path, "boot");
    BoundTo how = BoundTo::address;
    CHECK(second.has_internet(1, how));
    CHECK(how == BoundTo::loopback);
    CHECK_FALSE(second.has_unix({4, 5, 6}));
    first.add_unix({4, 5, 6});
    CHECK(second.has_unix({4, 5, 6}));
    second.add_abstract(std::string("a\0\n ", 4), 9);
    CHECK(first.has_abstract(std::string("a\0\n ", 4), 9));
}

TEST_CASE("what was made before the last boot is void, since numbers begin anew") {
    const TemporaryFile file;
    Registry(file.path, "boot-1").add_internet(1, BoundTo::loopback);
    BoundTo how = BoundTo::address;
    CHECK_FALSE(Registry(file.path, "boot-2").has_internet(1, how));
    CHECK_FALSE(Registry(file.path, "boot-1").has_internet(1, how));
}

TEST_CASE("a line that is not whole yet is read when it is") {
    const TemporaryFile file;
    Registry registry(file.path, "b");
    BoundTo how = BoundTo::address;
    std::ofstream out(file.path, std::ios::app);
    out << "b i4" << std::flush;
    CHECK_FALSE(registry.has_internet(42, how));
    CHECK_FALSE(registry.has_internet(4, how));
    out << "2 l\n" << std::flush;
    CHECK(registry.has_internet(42, how));
    CHECK(how == BoundTo::loopback);
}

TEST_CASE("lines of no meaning are passed over") {
    const TemporaryFile file;
    std::ofstream(file.path) << "b\n\nb \nb i1\nb i2 \nb i3 aa\nc i4 l\nb i5 l\n";
    Registry registry(file.path, "b");
    BoundTo how = BoundTo::address;
    for (const std::uint64_t inode : {1, 2, 3, 4}) CHECK_FALSE(registry.has_internet(inode, how));
    CHECK(registry.has_internet(5, how));
    CHECK(how == BoundTo::loopback);
}

TEST_CASE("the file is for its owner alone") {
    const TemporaryFile file;
    const Registry registry(file.path, "b");
    struct stat status = {};
    REQUIRE(::stat(file.path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a file that cannot be opened leaves the sandbox its own memory") {
    Registry registry("/nonexistent/sockets", "b");
    registry.add_unix({1, 2, 3});
    CHECK(registry.has_unix({1, 2, 3}));
}
