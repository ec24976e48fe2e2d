// The decision on one access, with its reasons.
#include "ctl/verdict.h"

#include <doctest/doctest.h>

#include "../launch/scratch.h"
#include "policy/load.h"

namespace {

/// Surroundings without links and ignore files.
struct Plain : policy::Surroundings {
    Resolved resolve(const std::string&) const override { return {}; }
    bool has_ignore_files(const std::string&) const override { return false; }
};

policy::Policy policy_for(const std::string& workspace) {
    policy::Variables variables;
    variables.workspace = workspace;
    variables.homes = {"/home/u"};
    variables.temporary = {"/sbxsh-tmp"};
    variables.cache = "/home/u/.cache";
    variables.config = "/home/u/.config";
    variables.data = "/home/u/.local/share";
    variables.state = "/home/u/.local/state/sbxsh";
    return policy::load({}, variables, Plain()).value();
}

}  // namespace

TEST_CASE("each access is known by its name") {
    CHECK(ctl::access_named("read").value() == policy::Access::read);
    CHECK(ctl::access_named("unix-connect").value() == policy::Access::unix_connect);
    CHECK(ctl::access_named("kernel").value() == policy::Access::kernel);
    const auto unknown = ctl::access_named("teleport");
    REQUIRE(!unknown);
    CHECK(unknown.error().message() ==
          "teleport: cannot explain the access: there is no such access");
    CHECK(unknown.error().remedy ==
          "use one of read, write, execute, connect, bind, unix-connect, unix-bind, signal, "
          "inspect, ipc, kernel");
}

TEST_CASE("an access is known by the words that people use for it") {
    CHECK(ctl::access_named("list").value() == policy::Access::read);
    CHECK(ctl::access_named("delete").value() == policy::Access::write);
    CHECK(ctl::access_named("exec").value() == policy::Access::execute);
    CHECK(ctl::access_named("net").value() == policy::Access::connect);
    const auto stat = ctl::access_named("stat");
    REQUIRE(!stat);
    CHECK(stat.error().message() ==
          "stat: cannot explain the access: no rule refuses looking at a file's name, owner, size "
          "and times");
}

TEST_CASE("a path is judged by where it leads") {
    const scratch::Directory directory;
    const std::string workspace = directory.make("w");
    REQUIRE(symlink("/etc", (directory / "w/link").c_str()) == 0);
    const policy::Policy policy = policy_for(workspace);
    const auto judge = [&](std::string_view object) {
        return ctl::judge(policy, policy::Access::write, object, workspace).value();
    };
    CHECK(judge("new/file").object == workspace + "/new/file");
    CHECK(judge("new/file").decision.allowed());
    CHECK(judge("link/hosts").object == "/etc/hosts");
    CHECK(!judge("link/hosts").decision.allowed());
    CHECK(ctl::conclusion(judge("/etc/hosts").decision)
              .starts_with("denied by fs.write.outside-workspace (built in): "));
    CHECK(!ctl::judge(policy, policy::Access::write, "", workspace));
}

TEST_CASE("addresses, sockets and classes without objects are judged") {
    const policy::Policy policy = policy_for("/w");
    const auto judge = [&](policy::Access access, std::string_view object) {
        return ctl::judge(policy, access, object, "/w");
    };
    CHECK(!judge(policy::Access::connect, "93.184.216.34:80").value().decision.allowed());
    CHECK(judge(policy::Access::connect, "[::1]:53/udp").value().object == "[::1]:53 (udp)");
    CHECK(judge(policy::Access::bind, "127.0.0.1:8000").value().decision.allowed());
    CHECK(judge(policy::Access::unix_connect, "@/tmp/.X11-unix/X0").value().object ==
          "@/tmp/.X11-unix/X0");
    CHECK(!judge(policy::Access::signal, "").value().decision.allowed());
    const auto name = judge(policy::Access::connect, "example.com:80");
    REQUIRE(!name);
    CHECK(name.error().remedy ==
          "write it as 127.0.0.1:80 or [::1]:53/udp; names are not looked up");
}

TEST_CASE("the JSON holds the decision and the rules considered") {
    const policy::Policy policy = policy_for("/w");
    const auto json =
        ctl::to_json(ctl::judge(policy, policy::Access::read, "/home/u/.ssh/id_rsa", "/w").value());
    CHECK(json["access"] == "read");
    CHECK(json["object"] == "/home/u/.ssh/id_rsa");
    CHECK(json["decision"] == "deny");
    CHECK(json["rule"]["id"] == "secret.ssh");
    CHECK(json["rule"]["origin"] == "built in");
    CHECK(json["considered"].size() > 1);
    CHECK(json["considered"][0]["matched"] == true);
}
