// What a policy has to know about this user, this directory and this machine.
#include "launch/surroundings.h"

#include <doctest/doctest.h>

#include "scratch.h"
#include "visit.h"

using Paths = std::vector<std::string>;

namespace {

/// A home, a workspace and a password file without people.
struct World {
    scratch::Directory directory;
    std::string home = directory.make("home");
    std::string workspace = directory.make("work");
    launch::SystemPaths paths;
    launch::Environment environment = {"HOME=" + home};

    World() {
        paths.passwd = directory.write("passwd", "");
        paths.temporary = directory.make("tmp");
    }

    launch::Scene look() const {
        const scratch::Visit visit(workspace);
        return launch::look_around({}, environment, paths).value();
    }
};

}  // namespace

TEST_CASE("without variables the directories are the usual ones below the home") {
    const World world;
    const launch::Scene scene = world.look();
    CHECK(scene.current == world.workspace);
    CHECK(scene.variables.workspace == world.workspace);
    CHECK(scene.variables.homes.front() == world.home);
    CHECK(scene.variables.temporary == Paths{world.directory / "tmp"});
    CHECK(scene.variables.cache == world.home + "/.cache");
    CHECK(scene.variables.config == world.home + "/.config");
    CHECK(scene.variables.data == world.home + "/.local/share");
    CHECK(scene.variables.state == world.home + "/.local/state/sbxsh");
    CHECK(scene.variables.runtime.empty());
    CHECK(scene.remarks.empty());
}

TEST_CASE("variables move the directories, and links in them are resolved") {
    World world;
    const std::string real = world.directory.make("real");
    REQUIRE(symlink("real", (world.directory / "link").c_str()) == 0);
    for (const char* name :
         {"TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"}) {
        world.environment.push_back(std::string(name) + "=" + world.directory / "link/" + name);
    }
    world.environment.push_back("XDG_DATA_HOME=relative");
    const launch::Scene scene = world.look();
    CHECK(scene.variables.temporary == Paths{world.directory / "tmp", real + "/TMPDIR"});
    CHECK(scene.variables.cache == real + "/XDG_CACHE_HOME");
    CHECK(scene.variables.config == real + "/XDG_CONFIG_HOME");
    CHECK(scene.variables.data == world.home + "/.local/share");
    CHECK(scene.variables.state == real + "/XDG_STATE_HOME/sbxsh");
    CHECK(scene.variables.runtime == real + "/XDG_RUNTIME_DIR");
}

TEST_CASE("a variable cannot make the home or the system writable") {
    World world;
    world.environment.push_back("TMPDIR=" + world.home + "/.");
    world.environment.push_back("XDG_CACHE_HOME=/etc");
    const launch::Scene scene = world.look();
    CHECK(scene.variables.temporary == Paths{world.directory / "tmp"});
    CHECK(scene.variables.cache == world.home + "/.cache");
    CHECK(
        scene.remarks ==
        Paths{"TMPDIR=" + world.home + " is not followed: it is too much to be writable as a whole",
              "XDG_CACHE_HOME=/etc is not followed: it is too much to be writable as a whole"});
}

TEST_CASE("a current directory that is gone is no error") {
    World world;
    const scratch::Visit visit(world.directory.make("gone"));
    REQUIRE(rmdir((world.directory / "gone").c_str()) == 0);
    const auto scene = launch::look_around({}, world.environment, world.paths);
    REQUIRE(scene);
    CHECK(scene->current.empty());
    CHECK(scene->variables.workspace.empty());
    CHECK(scene->remarks == Paths{"there is no workspace: the current directory cannot be found"});
}

TEST_CASE("literal paths are resolved to where they lead, with the identity of what is there") {
    const scratch::Directory directory;
    directory.make("real");
    const std::string secret = directory.write("real/secret", "x");
    REQUIRE(symlink("real", (directory / "link").c_str()) == 0);
    REQUIRE(symlink("../real/secret", (directory / "real/alias").c_str()) == 0);
    struct stat status;
    REQUIRE(stat(secret.c_str(), &status) == 0);
    const policy::FileId id = {status.st_dev, status.st_ino};
    const launch::RealSurroundings surroundings("");
    CHECK(surroundings.resolve(secret).target.empty());
    CHECK(surroundings.resolve(secret).id == id);
    CHECK(surroundings.resolve(directory / "link/secret").target == secret);
    CHECK(surroundings.resolve(directory / "link/secret").id == id);
    CHECK(surroundings.resolve(directory / "real/alias").target == secret);
    CHECK(surroundings.resolve(directory / "real/alias").id == id);
    CHECK(surroundings.resolve(directory / "link/absent").target == directory / "real/absent");
    CHECK(surroundings.resolve(directory / "real/absent").id == policy::FileId{});
    CHECK(surroundings.resolve(directory / "absent/below").target.empty());
    CHECK_FALSE(surroundings.resolve(secret).aliased);
    REQUIRE(link(secret.c_str(), (directory / "real/hard").c_str()) == 0);
    CHECK(surroundings.resolve(directory / "link/secret").aliased);
    CHECK_FALSE(surroundings.resolve(directory / "real").aliased);
    CHECK(surroundings.resolve("/").target.empty());
}

TEST_CASE("literal paths are resolved the same however many there are in a directory") {
    const scratch::Directory directory;
    for (int i = 0; i < 40; ++i) directory.write("d/Present" + std::to_string(i), "");
    for (int i = 0; i < 40; ++i) {
        REQUIRE(symlink("/etc/hosts", (directory / "d/link" + std::to_string(i)).c_str()) == 0);
        REQUIRE(symlink("d", (directory / "alias" + std::to_string(i)).c_str()) == 0);
    }
    for (const std::size_t expected : {0, 40}) {
        const launch::RealSurroundings surroundings("");
        surroundings.expect(directory / "d", expected);
        surroundings.expect(directory / "nowhere", expected);
        for (int i = 0; i < 40; ++i) {
            const std::string number = std::to_string(i);
            struct stat status;
            REQUIRE(stat((directory / "d/Present" + number).c_str(), &status) == 0);
            const policy::FileId id = {status.st_dev, status.st_ino};
            CHECK(surroundings.resolve(directory / "d/Present" + number).id == id);
            CHECK(surroundings.resolve(directory / "d/absent" + number).id == policy::FileId{});
            CHECK(surroundings.resolve(directory / "d/absent" + number).target.empty());
            CHECK(surroundings.resolve(directory / "d/link" + number).target == "/etc/hosts");
            CHECK(surroundings.resolve(directory / "alias" + number + "/Present" + number).id ==
                  id);
            CHECK(surroundings.resolve(directory / "alias" + number + "/x/y").target ==
                  directory / "d/x/y");
        }
    }
}
