// Whether ignore files are in use in a workspace.
#include "launch/ignore_files.h"

#include <doctest/doctest.h>

#include "scratch.h"

namespace {

std::string git(const std::string& tree, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"git", "-C", tree, "-c", "user.name=n", "-c", "user.email=e"});
    const scratch::Run run = scratch::run(arguments);
    REQUIRE(run.status == 0);
    return run.output;
}

/// A repository with many files in its index, so that it takes several chunks to read.
struct Repository {
    scratch::Directory directory;
    std::string tree;

    Repository() : tree(directory.make("w")) {
        git(tree, {"init", "-q"});
        for (int i = 0; i < 4000; ++i)
            directory.write("w/some/quite/long/directory/name/" + std::to_string(i) + "-file", "");
    }

    bool has() const { return launch::has_ignore_files(tree, tree + "/.git", ""); }
};

}  // namespace

TEST_CASE("an ignore file at the top counts without git") {
    const scratch::Directory directory;
    CHECK(!launch::has_ignore_files(directory.path(), "", ""));
    CHECK(!launch::has_ignore_files("", "", ""));
    directory.write(".gitignore", "");
    CHECK(!launch::has_ignore_files(directory.path(), "", ""));
    directory.write(".cursorignore", "");
    CHECK(launch::has_ignore_files(directory.path(), "", ""));
}

TEST_CASE("an ignore file below the top counts when git tracks it") {
    const Repository repository;
    CHECK(!repository.has());
    repository.directory.write("w/some/.gitignore", "");
    repository.directory.write("w/some/x.sbxignore2", "");
    git(repository.tree, {"add", "."});
    CHECK(!repository.has());
    repository.directory.write("w/zz/.sbxignore", "");
    CHECK(!repository.has());
    git(repository.tree, {"add", "."});
    CHECK(repository.has());
}

TEST_CASE("an index that cannot tell counts as one that has ignore files") {
    SUBCASE("names are compressed") {
        const Repository repository;
        git(repository.tree, {"update-index", "--index-version", "4"});
        git(repository.tree, {"add", "."});
        CHECK(repository.has());
    }
    SUBCASE("entries are shared with another file") {
        const Repository repository;
        git(repository.tree, {"add", "."});
        CHECK(!repository.has());
        git(repository.tree, {"update-index", "--split-index"});
        CHECK(repository.has());
    }
    SUBCASE("it is no index") {
        const scratch::Directory directory;
        directory.write(".git/index", "something else altogether");
        CHECK(launch::has_ignore_files(directory.path(), directory / ".git", ""));
    }
}

TEST_CASE("the answer for a large index is remembered until the index changes") {
    const Repository repository;
    const std::string cache = repository.directory / "cache";
    const auto has = [&] {
        return launch::has_ignore_files(repository.tree, repository.tree + "/.git", cache);
    };
    git(repository.tree, {"add", "."});
    // An index that was changed a moment ago is not remembered.
    usleep(150'000);
    CHECK(!has());
    REQUIRE(std::distance(std::filesystem::directory_iterator(cache), {}) == 1);
    const std::string file = std::filesystem::directory_iterator(cache)->path().string();
    std::string text;
    std::getline(std::ifstream(file), text);
    REQUIRE(text.ends_with(" no"));
    CHECK(!has());
    // To see that it is used: another answer in its place.
    std::ofstream(file) << text.substr(0, text.size() - 2) << "yes\n";
    CHECK(has());
    repository.directory.write("w/another", "");
    git(repository.tree, {"add", "."});
    CHECK(!has());
    std::ofstream(file) << "nonsense";
    CHECK(!has());
}
