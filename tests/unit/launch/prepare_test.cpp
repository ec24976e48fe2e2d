// From how we were called to the plan.
#include "launch/prepare.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "os/tree.h"
#include "scratch.h"
#include "visit.h"

namespace {

using Texts = std::vector<std::string>;

/// A home, a workspace, an admin's policy path and a password file without people.
struct World {
    scratch::Directory directory;
    std::string home = directory.make("home");
    std::string workspace = directory.make("work");
    launch::SystemPaths paths;
    launch::Environment environment = {"HOME=" + home, "PATH=/usr/bin:/bin", "GITHUB_TOKEN=secret",
                                       "EDITOR=vi"};

    World() {
        paths.passwd = directory.write("passwd", "");
        paths.admin_policy = directory / "etc/policy.toml";
        paths.temporary = directory.make("tmp");
    }

    core::Result<launch::Prepared> prepare(std::vector<std::string> argv) const {
        const scratch::Visit visit(workspace);
        const auto invocation = launch::parse_invocation(argv, environment);
        REQUIRE(invocation);
        return launch::prepare(*invocation, environment, paths);
    }

    core::Error error(std::vector<std::string> argv = {"sbxsh", "-c", "true"}) const {
        const auto prepared = prepare(std::move(argv));
        REQUIRE(!prepared);
        return prepared.error();
    }

    bool may_write(const std::string& path) const {
        const auto prepared = prepare({"sbxsh"});
        REQUIRE(prepared);
        return prepared->plan.policy.decide(policy::Access::write, path, {}, os::RealTree())
            .allowed();
    }
};

constexpr const char* deny_secret =
    "[[rule]]\nid = \"my.rule\"\naccess = [\"write\"]\ndeny = [\"{workspace}/secret\"]\n";

}  // namespace

TEST_CASE("without policy files the built-in policy holds") {
    const World world;
    const auto prepared = world.prepare({"sbxsh", "-c", "echo hi", "zero", "one"});
    REQUIRE(prepared);
    CHECK(prepared->plan.interpreter == "/usr/bin/bash");
    CHECK(prepared->plan.arguments == Texts{"sbxsh", "-c", "echo hi", "zero", "one"});
    CHECK(prepared->plan.policy.workspace() == world.workspace);
    CHECK(prepared->current == world.workspace);
    CHECK(prepared->use.command == "echo hi");
    CHECK(prepared->use.operands == Texts{"one"});
    CHECK(prepared->diagnostics == launch::Diagnostics::text);
    CHECK(world.may_write(world.workspace + "/x"));
    CHECK(!world.may_write(world.home + "/x"));
}

TEST_CASE("secrets are taken out of the environment") {
    const World world;
    const auto prepared = world.prepare({"sbxsh"});
    REQUIRE(prepared);
    CHECK(prepared->plan.environment ==
          Texts{"HOME=" + world.home, "PATH=/usr/bin:/bin", "EDITOR=vi"});
    CHECK(prepared->removed_variables == Texts{"GITHUB_TOKEN"});
}

TEST_CASE("each level's policy file counts") {
    for (const char* file :
         {"etc/policy.toml", "home/.config/sbxsh/policy.toml", "work/.sbxsh.toml"}) {
        CAPTURE(file);
        const World world;
        CHECK(world.may_write(world.workspace + "/secret"));
        world.directory.write(file, deny_secret);
        CHECK(!world.may_write(world.workspace + "/secret"));
        CHECK(world.may_write(world.workspace + "/other"));
    }
    World world;
    world.environment.push_back("SBXSH_POLICY=" + world.directory.write("mine.toml", deny_secret));
    CHECK(!world.may_write(world.workspace + "/secret"));
}

TEST_CASE(
    "a policy file that cannot be read is an error, and one that is asked for must be there") {
    const World world;
    SUBCASE("no regular file") {
        world.directory.make("work/.sbxsh.toml");
        CHECK(world.error().message() ==
              world.workspace + "/.sbxsh.toml: cannot read the policy: it is not a regular file");
        CHECK(world.error().remedy == "make it a readable file, or remove it");
    }
    SUBCASE("too large") {
        world.directory.write("etc/policy.toml", std::string((1 << 20) + 1, '\n'));
        CHECK(world.error().message() ==
              world.paths.admin_policy + ": cannot read the policy: it is larger than 1 MiB");
    }
    SUBCASE("a link in the workspace") {
        REQUIRE(symlink("/etc/shadow", (world.workspace + "/.sbxsh.toml").c_str()) == 0);
        CHECK(world.error().message() ==
              world.workspace + "/.sbxsh.toml: cannot read the policy: it is a symbolic link");
    }
    SUBCASE("absent although asked for") {
        const core::Error error = world.error({"sbxsh", "--sbx-policy=/absent.toml"});
        CHECK(error.message() == "/absent.toml: cannot read the policy: No such file or directory");
        CHECK(error.remedy == "name a policy file that exists");
    }
    SUBCASE("broken") {
        world.directory.write("work/.sbxsh.toml", "\n[[rule]\n");
        CHECK(world.error().object.starts_with(world.workspace + "/.sbxsh.toml:2:"));
        CHECK(!world.error().remedy.empty());
    }
}

TEST_CASE("the shell is the one asked for by option, by our name, by the policy, else bash") {
    const World world;
    const auto interpreter = [&](std::vector<std::string> argv) {
        const auto prepared = world.prepare(std::move(argv));
        REQUIRE(prepared);
        return prepared->plan.interpreter;
    };
    CHECK(interpreter({"sbxsh"}) == "/usr/bin/bash");
    world.directory.write("home/.config/sbxsh/policy.toml",
                          "[shell]\ninterpreter = \"/bin/dash\"\n");
    CHECK(interpreter({"sbxsh"}) == "/bin/dash");
    CHECK(interpreter({"-sh"}) == "/usr/bin/sh");
    CHECK(interpreter({"sh", "--sbx-interpreter=bash"}) == "/usr/bin/bash");
    CHECK(world.error({"sbxsh", "--sbx-interpreter=no-such-shell"}).object == "no-such-shell");
}

TEST_CASE("how refusals are told is decided by option, then by policy") {
    const World world;
    world.directory.write("home/.config/sbxsh/policy.toml", "[report]\ndiagnostics = \"json\"\n");
    CHECK(world.prepare({"sbxsh"}).value().diagnostics == launch::Diagnostics::json);
    const auto prepared =
        world.prepare({"sbxsh", "--sbx-diagnostics=line", "--sbx-diagnostics-fd=2"});
    CHECK(prepared.value().diagnostics == launch::Diagnostics::line);
    CHECK(prepared.value().diagnostics_descriptor == 2);
}

TEST_CASE("a descriptor for diagnostics has to take them") {
    const World world;
    const int number = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const std::string option = "--sbx-diagnostics-fd=" + std::to_string(number);
    const std::string object = "descriptor " + std::to_string(number);
    CHECK(world.error({"sbxsh", option}).message() ==
          object + ": cannot write diagnostics: it is not open for writing");
    close(number);
    const core::Error error = world.error({"sbxsh", option});
    CHECK(error.message() == object + ": cannot write diagnostics: it is not open");
    CHECK(error.remedy == "open it (" + std::to_string(number) +
                              ">FILE), or set neither --sbx-diagnostics-fd nor "
                              "SBXSH_DIAGNOSTICS_FD");
}

TEST_CASE("the state directory is made for the user alone, and a bad one stops nothing") {
    World world;
    const auto state = [&] { return world.prepare({"sbxsh"}); };
    SUBCASE("made") {
        const auto prepared = state();
        CHECK(prepared.value().plan.state == world.home + "/.local/state/sbxsh");
        struct stat status;
        REQUIRE(stat(prepared->plan.state.c_str(), &status) == 0);
        CHECK((status.st_mode & 07777) == 0700);
    }
    SUBCASE("in the workspace") {
        world.environment.push_back("XDG_STATE_HOME=" + world.workspace + "/state");
        const auto prepared = state();
        CHECK(prepared.value().plan.state.empty());
        CHECK(prepared->state_problem.value().message() ==
              world.workspace +
                  "/state/sbxsh: cannot use the state directory: it lies in the workspace");
        CHECK(std::filesystem::is_empty(world.workspace));
    }
    SUBCASE("below a file") {
        world.environment.push_back("XDG_STATE_HOME=" + world.directory.write("file", ""));
        const auto prepared = state();
        CHECK(prepared.value().plan.state.empty());
        CHECK(prepared->state_problem.value().message() ==
              world.directory / "file/sbxsh" + ": cannot use the state directory: Not a directory");
        CHECK(prepared->state_problem->remedy ==
              "make it a writable directory of your own, or set XDG_STATE_HOME to one outside the "
              "workspace");
    }
}

TEST_CASE("the fingerprint changes with the policy and only with it") {
    const World world;
    const auto fingerprint = [&] {
        return world.prepare({"sbxsh", "-c", "true"}).value().plan.fingerprint;
    };
    const std::string before = fingerprint();
    CHECK(before.size() == 16);
    world.directory.write("work/file", "x");
    CHECK(fingerprint() == before);
    world.directory.write("work/.sbxsh.toml", deny_secret);
    CHECK(fingerprint() != before);
}
