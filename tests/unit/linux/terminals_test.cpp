// Whose a terminal is, asked about real ones.
#include "linux/broker/terminals.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <doctest/doctest.h>
#include <string>
#include <utility>

#include "linux/inherited.h"
#include "serving.h"

using namespace linux_backend;
using Origin = Terminals::Origin;

namespace {

os::Fd new_master() {
    os::Fd master(::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
    REQUIRE(master);
    REQUIRE(::unlockpt(master.get()) == 0);
    return master;
}

std::string name_of(const os::Fd& master) {
    return ::ptsname(master.get());
}

os::Fd node(const std::string& name) {
    return os::Fd(::open(name.c_str(), O_PATH | O_CLOEXEC));
}

}  // namespace

TEST_CASE(
    "a terminal made inside is known until its master is closed, not one that takes its number") {
    Terminals terminals;
    os::Fd master = new_master();
    const std::string name = name_of(master);
    CHECK(terminals.of(node(name)) == Origin::outside);
    terminals.add_other_end(master);
    CHECK(terminals.of(node(name)) == Origin::inside);
    struct stat status;
    REQUIRE(::fstat(node(name).get(), &status) == 0);
    CHECK(terminals.find(status.st_rdev));

    const os::Fd before = node(name);
    master.reset();
    CHECK(terminals.of(before) == Origin::outside);
    CHECK_FALSE(terminals.find(status.st_rdev));
    const os::Fd other = new_master();
    REQUIRE(name_of(other) == name);
    CHECK(terminals.of(node(name)) == Origin::outside);
    CHECK(terminals.of(before) == Origin::outside);
}

TEST_CASE(
    "terminals that are open at the start are inherited, each once, and not kept from hanging up") {
    os::Fd master = new_master();
    const std::string name = name_of(master);
    os::Fd one(::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    os::Fd two(::open(name.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC));
    const std::size_t others = inherited_objects().terminals.size() - 1;
    CHECK(others <= 1);  // That of who runs the test.
    Inherited inherited = inherited_objects();
    CHECK(inherited.terminals.size() == others + 1);
    one.reset();
    two.reset();
    char byte;
    CHECK(::read(master.get(), &byte, 1) == -1);
    CHECK(errno == EIO);
    Terminals terminals;
    terminals.inherit(std::move(inherited.terminals));
    CHECK(terminals.of(node(name)) == Origin::inherited);
    master.reset();
    CHECK(inherited_objects().terminals.size() == others);
}

TEST_CASE("the broker opens terminals that it made, by every way to their name, and no others") {
    const serving::Folder folder;
    serving::Sandbox sandbox(folder);
    Answer made = sandbox.answer(SYS_openat, AT_FDCWD, "/dev/ptmx", O_RDWR | O_NOCTTY, 0);
    REQUIRE((made.kind == Answer::Kind::descriptor));
    const os::Fd master = std::move(made.descriptor_to_install);
    REQUIRE(::unlockpt(master.get()) == 0);
    const std::string name = name_of(master);
    CHECK((sandbox.answer(SYS_openat, AT_FDCWD, name.c_str(), O_RDWR, 0).kind ==
           Answer::Kind::descriptor));
    Answer other_end =
        sandbox.answer(SYS_ioctl, master.get(), static_cast<long>(TIOCGPTPEER), O_RDWR | O_CLOEXEC);
    REQUIRE((other_end.kind == Answer::Kind::descriptor));
    CHECK(other_end.close_on_exec);
    CHECK(::isatty(other_end.descriptor_to_install.get()) == 1);

    const os::Fd outside = new_master();
    const std::string other = name_of(outside);
    CHECK(sandbox.call(SYS_openat, AT_FDCWD, other.c_str(), O_RDWR | O_NOCTTY, 0) == -EACCES);
    CHECK(sandbox.last_refusal() == "terminal.outside: write to " + other);
    CHECK(sandbox.call(SYS_openat, AT_FDCWD, other.c_str(), O_RDONLY, 0) == -EACCES);
    CHECK(sandbox.last_refusal() == "terminal.outside: read " + other);
    CHECK(sandbox.call(SYS_chmod, other.c_str(), 0666) == -EACCES);
    CHECK(sandbox.last_refusal() == "terminal.outside: change the mode of " + other);
    CHECK(sandbox.call(SYS_chmod, name.c_str(), 0600) == 0);
}
