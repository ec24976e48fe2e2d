// The workspace.
#include "launch/workspace.h"

#include <doctest/doctest.h>

#include "scratch.h"

using launch::find_workspace;
using launch::Homes;
using launch::Workspace;
using Paths = std::vector<std::string>;

namespace {

void git(const std::string& tree, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-C", tree, "-c", "user.name=n", "-c",
                                         "user.email=e", "-c", "protocol.file.allow=always"});
    REQUIRE(scratch::run(arguments).status == 0);
}

std::string make_repository(const scratch::Directory& directory, const std::string& name) {
    const std::string tree = directory.make(name);
    git(tree, {"init", "-q"});
    git(tree, {"commit", "-q", "--allow-empty", "-m", "x"});
    return tree;
}

const Homes no_homes = {{"/nonexistent"}, {}};

}  // namespace

TEST_CASE("the workspace is the git top level around the current directory, else that directory") {
    const scratch::Directory directory;
    const std::string tree = make_repository(directory, "w");
    const Workspace inside = find_workspace(directory.make("w/a/b"), no_homes);
    CHECK(inside.root == tree);
    CHECK(inside.git_directory == tree + "/.git");
    CHECK(inside.extra.empty());
    CHECK(inside.remark.empty());
    const Workspace outside = find_workspace(directory.make("plain/sub"), no_homes);
    CHECK(outside.root == directory / "plain/sub");
    CHECK(outside.git_directory.empty());
}

TEST_CASE("neither a home, nor what holds a home, nor a system directory becomes a workspace") {
    const scratch::Directory directory;
    const std::string home = make_repository(directory, "people/me");
    const std::string project = directory.make("people/me/project");
    const Homes homes = {{home}, {home}};
    CHECK(find_workspace(home, homes).root.empty());
    CHECK(find_workspace(home, homes).remark ==
          "there is no workspace: " + home + " is too much to be writable as a whole");
    CHECK(find_workspace(directory / "people", homes).root.empty());
    CHECK(find_workspace(project, homes).root == project);
    for (const char* system : {"/", "/etc", "/etc/ssh", "/usr/lib/x", "/home", "/proc/1"}) {
        CAPTURE(system);
        CHECK(find_workspace(system, homes).root.empty());
    }
    CHECK(find_workspace("", homes).remark ==
          "there is no workspace: the current directory cannot be found");
}

TEST_CASE("the repository of a worktree belongs to the workspace") {
    const scratch::Directory directory;
    const std::string main = make_repository(directory, "main");
    const std::string tree = directory / "tree";
    git(main, {"worktree", "add", "-q", tree});
    const Workspace workspace = find_workspace(tree, no_homes);
    CHECK(workspace.root == tree);
    CHECK(workspace.git_directory == main + "/.git/worktrees/tree");
    CHECK(workspace.extra == Paths{main + "/.git"});
    CHECK(workspace.remark.empty());
}

TEST_CASE("the bare repository of a worktree belongs to the workspace") {
    const scratch::Directory directory;
    const std::string main = make_repository(directory, "main");
    git(directory.path(), {"clone", "-q", "--bare", main, "bare.git"});
    git(directory / "bare.git", {"worktree", "add", "-q", directory / "tree"});
    CHECK(find_workspace(directory / "tree", no_homes).extra == Paths{directory / "bare.git"});
}

TEST_CASE("the git directory of a submodule belongs to the workspace") {
    const scratch::Directory directory;
    const std::string library = make_repository(directory, "library");
    const std::string main = make_repository(directory, "main");
    git(main, {"submodule", "--quiet", "add", library, "deps/lib"});
    const Workspace workspace = find_workspace(main + "/deps/lib", no_homes);
    CHECK(workspace.root == main + "/deps/lib");
    CHECK(workspace.extra == Paths{main + "/.git/modules/deps/lib"});
}

TEST_CASE("a git directory that does not name the tree in return stays outside the workspace") {
    const scratch::Directory directory;
    const std::string victim = make_repository(directory, "victim");
    const std::string tree = directory.make("tree");
    const auto refused = [&] {
        const Workspace workspace = find_workspace(tree, no_homes);
        CHECK(workspace.root == tree);
        CHECK(workspace.extra.empty());
        return workspace.remark;
    };
    SUBCASE("a directory that is no repository") {
        const std::string secret = directory.make("secret");
        directory.write("tree/.git", "gitdir: " + secret + "\n");
        CHECK(refused() == "the git directory " + secret + " does not name " + tree +
                               " as its tree, so it is not writable");
    }
    SUBCASE("another repository") {
        directory.write("tree/.git", "gitdir: ../victim/.git\n");
        CHECK(!refused().empty());
    }
    SUBCASE("another repository's worktree") {
        git(victim, {"worktree", "add", "-q", directory / "other"});
        directory.write("tree/.git", "gitdir: " + victim + "/.git/worktrees/other\n");
        CHECK(!refused().empty());
    }
    SUBCASE("a link to another repository") {
        REQUIRE(symlink("../victim/.git", (tree + "/.git").c_str()) == 0);
        CHECK(!refused().empty());
    }
    SUBCASE("a worktree made up inside the tree, with another repository as its common directory") {
        directory.write("tree/.git", "gitdir: fake\n");
        directory.write("tree/fake/gitdir", tree + "/.git\n");
        directory.write("tree/fake/commondir", victim + "/.git\n");
        CHECK(refused().empty());
    }
    SUBCASE("a worktree made up elsewhere, with another repository as its common directory") {
        directory.write("tree/.git", "gitdir: ../fake\n");
        directory.write("fake/gitdir", tree + "/.git\n");
        directory.write("fake/commondir", victim + "/.git\n");
        CHECK(!refused().empty());
    }
}

TEST_CASE("a workspace may be asked for, but not a home") {
    const scratch::Directory directory;
    const std::string tree = make_repository(directory, "w");
    directory.make("w/sub");
    directory.write("file", "");
    const Homes homes = {{directory.make("home")}, {}};
    CHECK(launch::take_workspace("w/sub", directory.path(), homes).value().root == tree + "/sub");
    CHECK(launch::take_workspace(tree, "", homes).value().git_directory == tree + "/.git");
    const auto message = [&](const std::string& wanted) {
        const auto taken = launch::take_workspace(wanted, directory.path(), homes);
        REQUIRE(!taken);
        CHECK(taken.error().remedy ==
              "name an existing directory that holds one project, with --sbx-workspace or "
              "SBXSH_WORKSPACE");
        return taken.error().message();
    };
    CHECK(message("absent") == "absent: cannot take it as workspace: No such file or directory");
    CHECK(message("file") == "file: cannot take it as workspace: Not a directory");
    CHECK(message("home") == "home: cannot take it as workspace: " + directory / "home" +
                                 " is too much to be writable as a whole");
    CHECK(message("/") ==
          "/: cannot take it as workspace: / is too much to be writable as a whole");
}
