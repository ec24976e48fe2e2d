// What the audit log records.
#include "audit/event.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace {

const audit::Session session = {
    12, 1000, "/w/sub", "/w", "echo x > /etc/hosts", "0123456789abcdef"};

report::Denial denial() {
    report::Denial denial;
    denial.access = "write";
    denial.operation = "write to";
    denial.object = "/etc/hosts";
    denial.call = "openat";
    denial.error = 13;
    denial.rule = "fs.write.outside-workspace";
    denial.origin = "built in";
    denial.process = {13, "/usr/bin/bash", {"bash", "-c", "echo x > /etc/hosts"}};
    return denial;
}

}  // namespace

TEST_CASE("a command's record tells when, where, what and how it ended") {
    CHECK(audit::command_record(session, {0, 2'500'000, 3 << 8, 1}) ==
          "{\"event\":\"command\",\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":12,\"user\":"
          "1000,\"status\":3,"
          "\"duration_ms\":2,\"refusals\":1,\"cwd\":\"/w/sub\",\"workspace\":\"/"
          "w\",\"command\":\"echo x > /etc/hosts\"}\n");
    CHECK(audit::command_record(session, {0, 0, 9, 0}).find("\"signal\":9,") != std::string::npos);
}

TEST_CASE("a refusal's record tells who was refused what, and by which rule") {
    const std::string record = audit::refusal_record(session, denial(), 0);
    CHECK(record ==
          "{\"event\":\"refusal\",\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":12,\"user\":"
          "1000,\"key\":\"" +
              audit::refusal_key(session, denial()) +
              "\",\"access\":\"write\",\"operation\":\"write "
              "to\",\"object\":\"/etc/hosts\",\"call\":\"openat\",\"error\":13,"
              "\"rule\":\"fs.write.outside-workspace\",\"origin\":\"built "
              "in\",\"process\":13,\"program\":\"/usr/bin/bash\","
              "\"argv\":[\"bash\",\"-c\",\"echo x > "
              "/etc/hosts\"],\"cwd\":\"/w/sub\",\"workspace\":\"/w\","
              "\"command\":\"echo x > /etc/hosts\"}\n");
}

TEST_CASE("a record is never too long for one write") {
    const std::string bytes(100'000, '\x01');
    const audit::Session long_session = {1 << 22, 0xfffffffe, bytes, bytes, bytes, bytes};
    report::Denial long_denial = {};
    for (std::string* text : {&long_denial.access, &long_denial.operation, &long_denial.object,
                              &long_denial.call, &long_denial.rule, &long_denial.origin,
                              &long_denial.detail, &long_denial.process.program}) {
        *text = bytes;
    }
    long_denial.likely = true;
    long_denial.error = -2'000'000'000;
    long_denial.process.pid = 1 << 22;
    long_denial.process.argv.assign(5000, bytes);
    const std::string refusal =
        audit::refusal_record(long_session, long_denial, 1'709'210'096'123'456'789);
    CHECK(refusal.size() <= audit::largest_record);
    CHECK(nlohmann::json::accept(refusal));
    long_denial.process.argv.assign(5000, "");
    CHECK(audit::refusal_record(long_session, long_denial, 0).size() <= audit::largest_record);
    CHECK(audit::command_record(long_session, {1, INT64_MAX, 255 << 8, SIZE_MAX}).size() <=
          audit::largest_record);
}

TEST_CASE("the key differs with the command, the rule, the object, the policy and the workspace") {
    const std::string key = audit::refusal_key(session, denial());
    CHECK(key.size() == 16);
    for (std::string audit::Session::*text :
         {&audit::Session::workspace, &audit::Session::command, &audit::Session::fingerprint}) {
        audit::Session other = session;
        other.*text += "x";
        CHECK(audit::refusal_key(other, denial()) != key);
    }
    for (std::string report::Denial::*text :
         {&report::Denial::rule, &report::Denial::object, &report::Denial::access}) {
        report::Denial other = denial();
        other.*text += "x";
        CHECK(audit::refusal_key(session, other) != key);
    }
    audit::Session elsewhere = session;
    elsewhere.pid = 99;
    elsewhere.current = "/w";
    CHECK(audit::refusal_key(elsewhere, denial()) == key);
}
