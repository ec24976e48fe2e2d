// What a rename does to the protections of what it moves.
#include "linux/broker/moved_tree.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "os/fd.h"
#include "os/tree.h"

using linux_backend::find_loss;
using linux_backend::find_loss_below;
using linux_backend::Loss;
using linux_backend::Move;
using linux_backend::MovedTree;
using linux_backend::Swap;
using policy::Access;
using policy::Decision;
using policy::Effect;
using policy::Tree;

namespace {

class MapTree final : public Tree {
  public:
    explicit MapTree(std::map<std::string, std::string, std::less<>> files)
        : files_(std::move(files)) {}
    Kind kind(std::string_view path) const override {
        if (files_.count(path) != 0) return Kind::file;
        for (const auto& [name, text] : files_)
            if (name.starts_with(std::string(path) + "/")) return Kind::directory;
        return Kind::absent;
    }
    std::optional<std::string> content(std::string_view path, std::size_t) const override {
        const auto found = files_.find(path);
        if (found == files_.end()) return std::nullopt;
        return found->second;
    }

  private:
    std::map<std::string, std::string, std::less<>> files_;
};

const policy::Rule allow_rule{"allow", Effect::allow, {}, "", policy::Inspection::none};
const policy::Rule deny_rule{"deny", Effect::deny, {}, "", policy::Inspection::none};

Decision allowed() {
    return {Effect::allow, &allow_rule, ""};
}
Decision denied() {
    return {Effect::deny, &deny_rule, ""};
}

/// A temporary directory that goes with the test.
class Scratch {
  public:
    Scratch() {
        char name[] = "/tmp/rename_test_XXXXXX";
        path_ = mkdtemp(name);
        directory_ = os::Fd(open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
    ~Scratch() { std::filesystem::remove_all(path_); }
    const std::string& path() const { return path_; }
    int fd() const { return directory_.get(); }
    void file(const std::string& name) const {
        const std::filesystem::path whole = path_ + "/" + name;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream(whole) << "x";
    }

  private:
    std::string path_;
    os::Fd directory_;
};

/// Protects everything called ".vscode" below "/w", and what has "secret" in its name everywhere
/// from reading.
Decision workspace_rules(Access access, std::string_view path, policy::FileId, const Tree&) {
    if (access == Access::read)
        return path.find("secret") != path.npos && path.starts_with("/tmp") ? denied() : allowed();
    return path.starts_with("/w/") && path.find("/.vscode") != path.npos ? denied() : allowed();
}

}  // namespace

TEST_CASE("a moved tree shows what moved at its new place only") {
    const MapTree before({{"/w/a/f", "1"}, {"/w/other", "2"}});
    const std::string from = "/w/a";
    const std::string to = "/w/b";
    const MovedTree after(before, from, to, Swap::no);
    CHECK(after.kind("/w/a") == Tree::Kind::absent);
    CHECK(after.kind("/w/a/f") == Tree::Kind::absent);
    CHECK(after.kind("/w/b") == Tree::Kind::directory);
    CHECK(after.content("/w/b/f", 10) == "1");
    CHECK(after.content("/w/other", 10) == "2");
    CHECK(after.kind("/w/ab") == Tree::Kind::absent);
}

TEST_CASE("a tree after an exchange shows both sides swapped") {
    const MapTree before({{"/w/a/f", "1"}, {"/w/b/g", "2"}, {"/w/ab", "3"}});
    const std::string from = "/w/a";
    const std::string to = "/w/b";
    const MovedTree after(before, from, to, Swap::yes);
    CHECK(after.content("/w/b/f", 10) == "1");
    CHECK(after.content("/w/a/g", 10) == "2");
    CHECK(after.kind("/w/a/f") == Tree::Kind::absent);
    CHECK(after.content("/w/ab", 10) == "3");
}

TEST_CASE("an object may not move out of a write protection, not even by its identity alone") {
    const MapTree tree({});
    const auto by_identity = [](Access access, std::string_view, policy::FileId id, const Tree&) {
        return access == Access::write && id.inode == 7 ? denied() : allowed();
    };
    const Move move{by_identity, tree, tree, "/w/d/kept", "/w/e/kept", true, true};
    const auto loss = find_loss(move, {1, 7});
    REQUIRE(loss);
    CHECK(loss->path == "/w/d/kept");
    CHECK(loss->access == Access::write);
    CHECK(!find_loss(move, {1, 8}));
}

TEST_CASE("an object that may not be read may only move to where it still may not be") {
    const MapTree tree({});
    const Move out{workspace_rules, tree, tree, "/tmp/secret", "/w/open", true, true};
    const auto loss = find_loss(out, {});
    REQUIRE(loss);
    CHECK(loss->path == "/tmp/secret");
    CHECK(loss->access == Access::read);
    CHECK(!find_loss({workspace_rules, tree, tree, "/tmp/secret", "/tmp/secret2", true, true}, {}));
    CHECK(!find_loss({workspace_rules, tree, tree, "/w/open", "/tmp/secret", true, true}, {}));
}

TEST_CASE("a directory that brings a protected name with it is refused by that name") {
    const Scratch scratch;
    scratch.file("project/src/main.c");
    scratch.file("project/deep/er/.vscode/tasks.json");
    const os::RealTree tree;
    const std::string from = scratch.path() + "/project";
    const Move move{workspace_rules, tree, tree, from, "/w/project", true, true};
    const auto loss = find_loss_below(move, scratch.fd(), "project");
    REQUIRE(loss);
    CHECK(loss->path == "/w/project/deep/er/.vscode");
    CHECK(loss->decision.rule->id == "deny");
    CHECK(!find_loss_below({workspace_rules, tree, tree, from, "/elsewhere", true, true},
                           scratch.fd(), "project"));
}

TEST_CASE("a symbolic link is moved as a name and not followed") {
    const Scratch scratch;
    scratch.file("outside/.vscode/tasks.json");
    std::filesystem::create_directory(scratch.path() + "/moved");
    std::filesystem::create_symlink(scratch.path() + "/outside", scratch.path() + "/moved/link");
    const os::RealTree tree;
    const Move move{workspace_rules, tree, tree, scratch.path() + "/moved", "/w/m", true, true};
    CHECK(!find_loss_below(move, scratch.fd(), "moved"));
    std::filesystem::create_symlink("nowhere", scratch.path() + "/moved/.vscode");
    const auto loss = find_loss_below(move, scratch.fd(), "moved");
    REQUIRE(loss);
    CHECK(loss->path == "/w/m/.vscode");
}

TEST_CASE("a tree with too many entries or levels is not moved unchecked") {
    const Scratch scratch;
    const os::RealTree tree;
    std::filesystem::create_directory(scratch.path() + "/wide");
    for (int i = 0; i < 20'001; ++i) {
        const std::string name = scratch.path() + "/wide/" + std::to_string(i);
        if (mknod(name.c_str(), S_IFREG | 0600, 0) != 0) FAIL(name);
    }
    const Move wide{workspace_rules, tree, tree, scratch.path() + "/wide", "/w/wide", true, true};
    auto loss = find_loss_below(wide, scratch.fd(), "wide");
    REQUIRE(loss);
    CHECK(loss->decision.rule->id == "fs.write.unchecked-move");
    CHECK(loss->decision.detail == "too large to check");
    unlink((scratch.path() + "/wide/0").c_str());
    CHECK(!find_loss_below(wide, scratch.fd(), "wide"));

    std::string deep = scratch.path() + "/deep";
    for (int i = 0; i < 258; ++i) {
        if (mkdir(deep.c_str(), 0700) != 0) FAIL(deep);
        deep += "/d";
    }
    loss = find_loss_below(
        {workspace_rules, tree, tree, scratch.path() + "/deep", "/w/deep", true, true},
        scratch.fd(), "deep");
    REQUIRE(loss);
    CHECK(loss->decision.detail == "too deep to check");
}

TEST_CASE("a part of the tree that cannot be listed is not moved unchecked") {
    const Scratch scratch;
    scratch.file("moved/closed/file");
    const std::string closed = scratch.path() + "/moved/closed";
    REQUIRE(chmod(scratch.path().c_str(), 0755) == 0);
    REQUIRE(chmod(closed.c_str(), 0) == 0);
    const os::RealTree tree;
    const Move move{workspace_rules, tree, tree, scratch.path() + "/moved", "/w/m", true, true};
    // Root lists everything, so it looks as somebody else; for others this changes nothing.
    setfsuid(geteuid() == 0 ? 65534 : geteuid());
    const auto loss = find_loss_below(move, scratch.fd(), "moved");
    setfsuid(geteuid());
    REQUIRE(chmod(closed.c_str(), 0700) == 0);
    REQUIRE(loss);
    CHECK(loss->decision.detail == "cannot be listed");
    CHECK(loss->path == closed);
    CHECK(!find_loss_below(move, scratch.fd(), "moved"));
}
