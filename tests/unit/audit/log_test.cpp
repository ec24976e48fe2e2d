// The audit log.
#include "audit/log.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <set>

#include "../launch/scratch.h"

using audit::Log;

namespace {

struct stat status_of(const std::string& path) {
    struct stat status = {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status;
}

}  // namespace

TEST_CASE("lines are appended to a file that only the user may read") {
    const scratch::Directory directory;
    REQUIRE(Log(directory.path()).append("{\"a\":1}\n"));
    Log log(directory.path());
    REQUIRE(log.append("{\"a\":2}\n"));
    REQUIRE(log.append("{\"a\":3}\n"));
    CHECK(audit::read_lines(directory.path()) ==
          std::vector<std::string>{"{\"a\":1}", "{\"a\":2}", "{\"a\":3}"});
    CHECK((status_of(directory / "audit.jsonl").st_mode & 07777) == 0600);
}

TEST_CASE("a full file is rotated, and three old ones are kept") {
    const scratch::Directory directory;
    Log log(directory.path(), 100);
    const std::string filling(95, 'x');
    for (int i = 0; i < 12; ++i)
        REQUIRE(log.append(std::to_string(100 + i) + filling.substr(0, 60) + "\n"));
    CHECK(audit::read_lines(directory.path()).size() == 8);
    CHECK(audit::read_lines(directory.path()).front().substr(0, 3) == "104");
    CHECK(audit::read_lines(directory.path()).back().substr(0, 3) == "111");
    CHECK(access((directory / "audit.4.jsonl").c_str(), F_OK) != 0);
}

TEST_CASE("many processes that append and rotate at once lose and tear nothing") {
    const scratch::Directory directory;
    constexpr int writers = 6, lines = 300;
    for (int writer = 0; writer < writers; ++writer) {
        if (fork() != 0) continue;
        // Three rotated files hold everything: about 1800 lines of 108 bytes.
        Log log(directory.path(), 60'000);
        bool good = true;
        for (int i = 0; i < lines; ++i) {
            good = good && log.append(std::to_string(writer) + ":" + std::to_string(i) + ":" +
                                      std::string(100, 'y') + "\n");
        }
        _exit(good ? 0 : 1);
    }
    for (int writer = 0; writer < writers; ++writer) {
        int status = -1;
        REQUIRE(wait(&status) > 0);
        CHECK(status == 0);
    }
    std::set<std::string> seen;
    for (const std::string& line : audit::read_lines(directory.path())) {
        CHECK(line.ends_with(":" + std::string(100, 'y')));
        seen.insert(line);
    }
    CHECK(seen.size() == writers * lines);
}

TEST_CASE("a line that was torn by a full disk does not spoil the next one") {
    const scratch::Directory directory;
    directory.write("audit.jsonl", "{\"a\":1}\n{\"tor");
    REQUIRE(Log(directory.path()).append("{\"a\":2}\n"));
    CHECK(audit::read_lines(directory.path()) ==
          std::vector<std::string>{"{\"a\":1}", "{\"tor", "{\"a\":2}"});
}

TEST_CASE("a log that cannot be written is an error with a remedy") {
    const scratch::Directory directory;
    const std::string remedy =
        "the command is not affected; free space, or make the state directory writable";
    SUBCASE("no directory") {
        const auto appended = Log(directory / "absent").append("x\n");
        REQUIRE(!appended);
        CHECK(appended.error().message() ==
              directory / "absent/audit.jsonl" +
                  ": cannot write the audit log: No such file or directory");
        CHECK(appended.error().remedy == remedy);
    }
    SUBCASE("a link somewhere else") {
        directory.write("elsewhere", "");
        REQUIRE(symlink("elsewhere", (directory / "audit.jsonl").c_str()) == 0);
        REQUIRE(!Log(directory.path()).append("x\n"));
        CHECK(status_of(directory / "elsewhere").st_size == 0);
    }
    SUBCASE("a full disk") {
        const pid_t child = fork();
        if (child == 0) {
            signal(SIGXFSZ, SIG_IGN);
            const rlimit small = {10, 10};
            setrlimit(RLIMIT_FSIZE, &small);
            Log log(directory.path());
            const auto first = log.append("0123456789abc\n");
            const auto second = log.append("x\n");
            _exit(!first && first.error().code == ENOSPC && !second && second.error().code == EFBIG
                      ? 0
                      : 1);
        }
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
}
