// The program sbxctl as its user meets it.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "../launch/scratch.h"
#include "audit/event.h"
#include "audit/log.h"

namespace {

/// A home with a state directory, and runs of sbxctl in a workspace.
struct World {
    scratch::Directory directory;
    std::string home = directory.make("home");
    std::string workspace = directory.make("work");
    std::string state = directory.make("home/.local/state/sbxsh");

    /// Output, standard error included, and exit status.
    std::pair<std::string, int> run(const std::string& arguments) const {
        const scratch::Run run = scratch::run(
            {"sh", "-c",
             "cd " + workspace + " && HOME=" + home + " " + SBXCTL + " " + arguments + " 2>&1"});
        return {run.output, WEXITSTATUS(run.status)};
    }
};

}  // namespace

TEST_CASE("misuse is told with the way to the help, and has status 2") {
    const World world;
    CHECK(world.run("") == std::pair<std::string, int>(
                               "sbxctl: no command was given\n  = help: see sbxctl --help\n", 2));
    CHECK(world.run("nope").first ==
          "sbxctl: there is no command 'nope'\n  = help: see sbxctl --help\n");
    CHECK(world.run("describe x").first ==
          "sbxctl: describe takes no argument 'x'\n  = help: see sbxctl --help\n");
    CHECK(world.run("log -n x").first ==
          "sbxctl: -n needs a number\n  = help: see sbxctl --help\n");
    CHECK(world.run("--help").first.starts_with("Usage: sbxctl "));
    CHECK(world.run("--help").second == 0);
}

TEST_CASE("a broken policy is one message with its place, and status 125") {
    const World world;
    world.directory.write("work/.sbxsh.toml", "[[rule]]\nacess = \"read\"\n");
    const std::string place = "sbxctl: " + world.workspace + "/.sbxsh.toml:2:1: ";
    for (const char* command : {"explain read /x", "describe", "explain -- cat x"}) {
        const auto [output, status] = world.run(command);
        CAPTURE(command);
        CHECK(status == 125);
        CHECK(output.starts_with(place));
        CHECK(output.find("\n  = help: ") != std::string::npos);
    }
    const auto [output, status] = world.run("doctor");
    CHECK(status == 1);
    CHECK(output.find("MISSING  policy: " + world.workspace + "/.sbxsh.toml:2:1: ") !=
          std::string::npos);
}

TEST_CASE("explain tells the decision on an object and on a command line") {
    const World world;
    const auto [object, status] = world.run("explain write /etc/hosts");
    CHECK(
        object.starts_with("write /etc/hosts: denied by fs.write.outside-workspace (built in): "));
    CHECK(status == 0);
    const auto line = world.run("explain -- 'echo x > /etc/hosts; cat a'").first;
    CHECK(line.find("> /etc/hosts\n    write /etc/hosts: denied by fs.write.outside-workspace ") !=
          std::string::npos);
    CHECK(line.find("cat a\n    read " + world.workspace + "/a: allowed by ") != std::string::npos);
    const auto json =
        nlohmann::json::parse(world.run("explain --json -- 'echo x > /etc/hosts'").first);
    CHECK(json["accesses"][0]["part"] == "> /etc/hosts");
    CHECK(json["accesses"][0]["decision"] == "deny");
}

TEST_CASE("log shows the newest records, harmless to print") {
    const World world;
    audit::Log log(world.state);
    for (int i = 0; i < 30; ++i) {
        const audit::Session session = {1,  1, "/w", "/w", "echo " + std::to_string(i) + "\x1b[2J",
                                        "f"};
        REQUIRE(log.append(audit::command_record(session, {0, 5'000'000, 0, 0})));
    }
    report::Denial denial;
    denial.operation = "write to";
    denial.object = "/etc/x";
    denial.rule = "some.rule";
    REQUIRE(log.append(audit::refusal_record({1, 1, "/w", "/w", "echo last", "f"}, denial, 0)));
    const auto text = world.run("log").first;
    CHECK(std::count(text.begin(), text.end(), '\n') == 20);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(
        text.find("1970-01-01T00:00:00.000000Z status 0, 5 ms, 0 refused  /w$ echo 29\\x1b[2J\n") !=
        std::string::npos);
    CHECK(text.ends_with(
        "1970-01-01T00:00:00.000000Z refused  write to /etc/x (some.rule)  /w$ echo last\n"));
    CHECK(world.run("log --denied").first ==
          "1970-01-01T00:00:00.000000Z refused  write to /etc/x (some.rule)  /w$ echo last\n");
    const auto lines = world.run("log --json -n 2").first;
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
    CHECK(nlohmann::json::parse(lines.substr(0, lines.find('\n')))["command"] == "echo 29\x1b[2J");
}

TEST_CASE("doctor tells what the machine and the set-up have") {
    const World world;
    const auto json = nlohmann::json::parse(world.run("doctor --json").first);
    CHECK(json["machine"].size() > 3);
    for (const auto& one : json["setup"]) {
        CAPTURE(one.dump());
        CHECK(one["present"] == true);
    }
}

TEST_CASE("the manual page has each command that the help names") {
    std::ifstream file(MANUAL);
    const std::string manual{std::istreambuf_iterator<char>(file), {}};
    const World world;
    std::istringstream help(world.run("--help").first);
    int commands = 0;
    for (std::string line; std::getline(help, line) && line.find("--help") == std::string::npos;) {
        if (line.size() < 3 || line.rfind("  ", 0) != 0 || line[2] == ' ') continue;
        const std::string name = line.substr(2, line.find(' ', 2) - 2);
        CAPTURE(name);
        const bool described = manual.find("\n.It Cm " + name + "\n") != std::string::npos ||
                               manual.find("\n.It Cm " + name + " ") != std::string::npos;
        CHECK(described);
        CHECK(manual.find("\n.Cm " + name + "\n") != std::string::npos);
        ++commands;
    }
    CHECK(commands >= 4);
}
