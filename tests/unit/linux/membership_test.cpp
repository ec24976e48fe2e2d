// Tests of the ancestry walk, on real processes.
#include "linux/broker/membership.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace linux_backend {
namespace {

/// A child that waits, and a grandchild below it; both end with this object.
class Family {
  public:
    Family() {
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        child_ = ::fork();
        if (child_ == 0) {
            const pid_t grandchild = ::fork();
            if (grandchild == 0) {
                ::prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (;;) ::pause();
            }
            if (::write(ready[1], &grandchild, sizeof grandchild) < 0) ::_exit(1);
            for (;;) ::pause();
        }
        REQUIRE(::read(ready[0], &grandchild_, sizeof grandchild_) == sizeof grandchild_);
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~Family() {
        ::kill(grandchild_, SIGKILL);
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }
    pid_t child() const { return child_; }
    pid_t grandchild() const { return grandchild_; }

  private:
    pid_t child_ = 0;
    pid_t grandchild_ = 0;
};

TEST_CASE("a descendant of the broker is inside, the broker and its ancestors are not") {
    const Family family;
    const Members members(::getpid(), "");
    CHECK(members.of(family.child()) == Membership::inside);
    CHECK(members.of(family.grandchild()) == Membership::inside);
    CHECK(members.of(::getpid()) == Membership::outside);
    CHECK(members.of(::getppid()) == Membership::outside);
    CHECK(members.of(1) == Membership::outside);
    CHECK(members.of(0) == Membership::outside);
    CHECK(members.of(-1) == Membership::outside);
}

TEST_CASE("a thread of the broker is outside") {
    const Members members(::getpid(), "");
    pid_t thread = 0;
    Membership found = Membership::inside;
    std::thread([&] {
        thread = static_cast<pid_t>(::syscall(SYS_gettid));
        found = members.of(thread);
    }).join();
    CHECK(thread != ::getpid());
    CHECK(found == Membership::outside);
}

TEST_CASE("a process that is gone is outside") {
    const Members members(::getpid(), "");
    const pid_t gone = ::fork();
    if (gone == 0) ::_exit(0);
    ::waitpid(gone, nullptr, 0);
    CHECK(members.of(gone) == Membership::outside);
}

TEST_CASE(
    "a descendant of another broker is of the same workspace while that broker's file holds its "
    "start time") {
    namespace fs = std::filesystem;
    const std::string directory =
        fs::temp_directory_path() / ("membership_test." + std::to_string(::getpid()));
    fs::create_directory(directory);
    {
        const Family family;
        const Members members(::getpid() + 1'000'000, directory);
        CHECK(members.of(family.grandchild()) == Membership::outside);

        ProcessStat other;
        REQUIRE(read_process_stat(family.child(), other));
        const std::string prefix = directory + "/" + std::to_string(family.child()) + "-";
        std::ofstream(prefix + std::to_string(other.start + 1));
        CHECK(members.of(family.grandchild()) == Membership::outside);
        std::ofstream(prefix + std::to_string(other.start));
        CHECK(members.of(family.grandchild()) == Membership::same_workspace);
        CHECK(members.of(family.child()) == Membership::outside);
    }
    fs::remove_all(directory);
}

TEST_CASE("a process's parent, group and name are read although its name holds parentheses") {
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setpgid(0, 0);
        ::prctl(PR_SET_NAME, "a) S 1 (b");
        if (::write(ready[1], "", 1) < 0) ::_exit(1);
        for (;;) ::pause();
    }
    char byte;
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    ProcessStat stat;
    CHECK(read_process_stat(child, stat));
    CHECK(stat.parent == ::getpid());
    CHECK(stat.group == child);
    CHECK(stat.start > 0);
    CHECK(describe_process(child) == "process " + std::to_string(child) + " (a) S 1 (b)");
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    CHECK_FALSE(read_process_stat(child, stat));
    CHECK(describe_process(child) == "process " + std::to_string(child));
    ::close(ready[0]);
    ::close(ready[1]);
}

}  // namespace
}  // namespace linux_backend
