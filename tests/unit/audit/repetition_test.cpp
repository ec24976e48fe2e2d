// Whether the same thing was refused to the same command before.
#include "audit/repetition.h"

#include <doctest/doctest.h>

#include "../launch/scratch.h"
#include "audit/event.h"
#include "audit/log.h"

namespace {

report::Denial denial_of(const std::string& object) {
    report::Denial denial;
    denial.access = "write";
    denial.rule = "some.rule";
    denial.object = object;
    return denial;
}

}  // namespace

TEST_CASE("commands refused the same are counted once each, across a rotation too") {
    const scratch::Directory directory;
    audit::Session session = {1, 1, "/w", "/w", "x", "f"};
    {
        audit::Log log(directory.path(), 1000);
        for (int i = 0; i < 5; ++i) {
            session.pid = 100 + i;
            REQUIRE(log.append(audit::refusal_record(session, denial_of("/a"), i)));
            REQUIRE(log.append(audit::refusal_record(session, denial_of("/a"), i)));
            REQUIRE(log.append(audit::refusal_record(
                session, denial_of(std::string("/b") + std::to_string(i)), i)));
        }
    }
    CHECK(access((directory / "audit.1.jsonl").c_str(), F_OK) == 0);
    CHECK(audit::count_commands_refused(directory.path(),
                                        audit::refusal_key(session, denial_of("/a"))) == 5);
    CHECK(audit::count_commands_refused(directory.path(),
                                        audit::refusal_key(session, denial_of("/b2"))) == 1);
    CHECK(audit::count_commands_refused(directory.path(),
                                        audit::refusal_key(session, denial_of("/c"))) == 0);
    CHECK(audit::count_commands_refused(directory / "absent", "x") == 0);
}

TEST_CASE("a command line cannot pose as a key") {
    const scratch::Directory directory;
    const std::string key = "0123456789abcdef";
    const audit::Session session = {1, 1, "/w", "/w", "echo '\"key\":\"" + key + "\"'", "f"};
    REQUIRE(audit::Log(directory.path()).append(audit::command_record(session, {})));
    CHECK(audit::count_commands_refused(directory.path(), key) == 0);
}
