// Finds the real shell.
#include "launch/interpreter.h"

#include <doctest/doctest.h>

#include "scratch.h"

namespace {

/// A scene with our executable and two directories of shells.
struct Scene {
    scratch::Directory directory;
    launch::InterpreterSearch search;

    Scene() {
        search.own_executable = program("own/sbxsh", "ourselves");
        search.directories = {directory / "first", directory / "second"};
    }

    std::string program(const std::string& name, const std::string& text) const {
        const std::string path = directory.write(name, text);
        chmod(path.c_str(), 0755);
        return path;
    }

    void link_to_own(const std::string& name) const {
        directory.make(name.substr(0, name.find('/')));
        REQUIRE(link(search.own_executable.c_str(), (directory / name).c_str()) == 0);
    }
};

}  // namespace

TEST_CASE("a name is looked for in the standard directories before PATH") {
    const Scene scene;
    const std::string standard = scene.program("second/bash", "real");
    scene.program("path/bash", "other");
    const auto found =
        launch::find_interpreter("bash", {"PATH=" + scene.directory / "path"}, scene.search);
    REQUIRE(found);
    CHECK(*found == standard);
}

TEST_CASE("our own file is passed over under each of its names, and as a copy") {
    const Scene scene;
    scene.link_to_own("first/bash");
    scene.program("second/bash", "ourselves");
    scene.directory.make("path");
    REQUIRE(symlink("../own/sbxsh", (scene.directory / "path/bash").c_str()) == 0);
    const std::string real = scene.program("path2/bash", "the real");
    const std::string path =
        "PATH=relative:" + scene.directory / "path" + "::" + scene.directory / "path2";
    const auto found = launch::find_interpreter("bash", {path}, scene.search);
    REQUIRE(found);
    CHECK(*found == real);
}

TEST_CASE("a shell that is not there is an error with a remedy") {
    const Scene scene;
    scene.directory.write("first/bash", "not executable");
    const auto found = launch::find_interpreter("bash", {}, scene.search);
    REQUIRE(!found);
    CHECK(found.error().message() == "bash: cannot run the shell: no such program in " +
                                         scene.directory / "first" + ", " +
                                         scene.directory / "second" + ", nor in PATH");
    CHECK(found.error().remedy ==
          "install it, or name another shell with --sbx-interpreter, SBXSH_INTERPRETER or, in the "
          "user's policy, "
          "[shell] interpreter");
}

TEST_CASE("a path is taken as it is, unless it is absent, no program, or ourselves") {
    const Scene scene;
    const std::string real = scene.program("x/odd-shell", "real");
    CHECK(launch::find_interpreter(real, {}, scene.search).value() == real);
    const auto error = [&](const std::string& path) {
        const auto found = launch::find_interpreter(path, {}, scene.search);
        REQUIRE(!found);
        return found.error().message();
    };
    const std::string plain = scene.directory.write("plain", "");
    CHECK(error("/absent/bash") == "/absent/bash: cannot run the shell: No such file or directory");
    CHECK(error(plain) == plain + ": cannot run the shell: it is not an executable file");
    CHECK(error(scene.search.own_executable) ==
          scene.search.own_executable + ": cannot run the shell: this is sbxsh itself");
}

TEST_CASE("on this machine bash is found") {
    const auto found = launch::find_interpreter("bash", {});
    REQUIRE(found);
    CHECK(scratch::run({*found, "-c", "echo $BASH_VERSION"}).output.size() > 3);
}
