// Which paths belong to a git directory, and what makes one.
#include "policy/git_layout.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using policy::completes_git_dir;
using policy::git_part;
using policy::git_pointer_target;
using policy::GitPart;
using policy::is_git_dir_name;
using policy::is_trusted_pointer;
using policy::objectionable_parts;
using policy::Tree;
using Kind = policy::Tree::Kind;

namespace {

class MemoryTree : public Tree {
  public:
    MemoryTree& directory(const std::string& path) {
        entries_[path] = {Kind::directory, ""};
        return *this;
    }
    MemoryTree& file(const std::string& path, const std::string& content = "") {
        entries_[path] = {Kind::file, content};
        return *this;
    }
    MemoryTree& link(const std::string& path) {
        entries_[path] = {Kind::other, ""};
        return *this;
    }
    /// A git directory as "git init" leaves it.
    MemoryTree& repository(const std::string& path) {
        return directory(path)
            .file(path + "/HEAD", "ref: refs/heads/main\n")
            .directory(path + "/objects")
            .directory(path + "/refs")
            .file(path + "/config", "[core]\n\tbare = true\n");
    }

    Kind kind(std::string_view path) const override {
        ++looks;
        const auto entry = entries_.find(std::string(path));
        return entry == entries_.end() ? Kind::absent : entry->second.kind;
    }
    std::optional<std::string> content(std::string_view path, std::size_t limit) const override {
        const auto entry = entries_.find(std::string(path));
        if (entry == entries_.end() || entry->second.kind != Kind::file) return std::nullopt;
        if (entry->second.content.size() > limit) return std::nullopt;
        return entry->second.content;
    }

    mutable int looks = 0;

  private:
    struct Entry {
        Kind kind;
        std::string content;
    };
    std::map<std::string, Entry> entries_;
};

using Parts = std::vector<std::string>;

}  // namespace

TEST_CASE("parts of a .git directory are known by name, existing or not") {
    const MemoryTree tree;
    CHECK(git_part(tree, "/w/.git/config") == GitPart::config);
    CHECK(git_part(tree, "/w/.git/config.worktree") == GitPart::config);
    CHECK(git_part(tree, "/w/.git/hooks") == GitPart::hook);
    CHECK(git_part(tree, "/w/.git/hooks/pre-commit") == GitPart::hook);
    CHECK(git_part(tree, "/w/.git/hooks/pre-commit.d/x") == GitPart::hook);
    CHECK(git_part(tree, "/w/.git/info/attributes") == GitPart::attributes);
    CHECK(git_part(tree, "/w/.git/commondir") == GitPart::pointer);
    CHECK(git_part(tree, "/a/deep/nested/.git/config") == GitPart::config);
    CHECK(git_part(tree, "/.git/config") == GitPart::config);
}

TEST_CASE("what git does not run or trust is no part") {
    const MemoryTree tree = MemoryTree().directory("/w/.git");
    for (const char* path :
         {"/w/.git", "/w/.git/hooks/pre-commit.sample", "/w/.git/config.lock", "/w/.git/HEAD",
          "/w/.git/index", "/w/.git/info/exclude", "/w/.git/refs/heads/config",
          "/w/.git/refs/heads/hooks/x", "/w/.git/xhooks/x", "/w/.git/hooksx/x", "/w/config",
          "/w/hooks/x", "/w/src/info/attributes", "/w/.GIT/config", "/w/.git /config",
          "/w/.gitmodules", "/", "", "relative/.git/config"}) {
        CHECK_MESSAGE(git_part(tree, path) == GitPart::none, path);
    }
}

TEST_CASE("a sample's name does not excuse what is below a directory of that name") {
    CHECK(git_part(MemoryTree(), "/w/.git/hooks/x.sample/y") == GitPart::hook);
    CHECK(git_part(MemoryTree(), "/w/.git/hooks/x/y.sample") == GitPart::hook);
}

TEST_CASE("a .git that is no directory is a pointer, also one that is absent or a link") {
    MemoryTree tree;
    CHECK(git_part(tree, "/w/sub/.git") == GitPart::pointer);
    tree.file("/w/sub/.git");
    CHECK(git_part(tree, "/w/sub/.git") == GitPart::pointer);
    tree.link("/w/sub/.git");
    CHECK(git_part(tree, "/w/sub/.git") == GitPart::pointer);
    tree.directory("/w/sub/.git");
    CHECK(git_part(tree, "/w/sub/.git") == GitPart::none);
}

TEST_CASE("git directories of submodules and worktrees count") {
    MemoryTree tree;
    tree.repository("/w/.git")
        .repository("/w/.git/modules/libs/a")
        .directory("/w/.git/modules/libs");
    CHECK(git_part(tree, "/w/.git/modules/libs/a/config") == GitPart::config);
    CHECK(git_part(tree, "/w/.git/modules/libs/a/hooks/post-checkout") == GitPart::hook);
    CHECK(git_part(tree, "/w/.git/modules/new/config") == GitPart::config);
    CHECK(git_part(tree, "/w/.git/worktrees/n/config.worktree") == GitPart::config);
    CHECK(git_part(tree, "/w/.git/worktrees/n/gitdir") == GitPart::pointer);
    CHECK(git_part(tree, "/w/.git/worktrees/n/commondir") == GitPart::pointer);
    CHECK(git_part(tree, "/w/.git/modules/libs/a/worktrees/n/commondir") == GitPart::pointer);
    CHECK(git_part(tree, "/w/x/worktrees/n/commondir") == GitPart::none);
}

TEST_CASE("a submodule may be called hooks or config below a folder of submodules") {
    MemoryTree tree;
    tree.repository("/w/.git").directory("/w/.git/modules").directory("/w/.git/modules/libs");
    CHECK(git_part(tree, "/w/.git/modules/libs/hooks") == GitPart::none);
    CHECK(git_part(tree, "/w/.git/modules/libs/config") == GitPart::none);
    tree.repository("/w/.git/modules/libs/hooks");
    CHECK(git_part(tree, "/w/.git/modules/libs/hooks/description") == GitPart::none);
    CHECK(git_part(tree, "/w/.git/modules/libs/hooks/hooks/update") == GitPart::hook);
}

TEST_CASE("a directory that holds a repository counts under any name") {
    MemoryTree tree;
    tree.repository("/w/g");
    CHECK(git_part(tree, "/w/g/config") == GitPart::config);
    CHECK(git_part(tree, "/w/g/hooks/pre-commit") == GitPart::hook);
    CHECK(git_part(tree, "/w/g/info/attributes") == GitPart::attributes);
    CHECK(git_part(tree, "/w/g/worktrees/n/config.worktree") == GitPart::config);
    CHECK(git_part(tree, "/w/g/worktrees/n/gitdir") == GitPart::pointer);
}

TEST_CASE("a directory without HEAD counts too, since another one's commondir may name it") {
    MemoryTree tree;
    tree.directory("/w/g/objects");
    CHECK(git_part(tree, "/w/g/config") == GitPart::none);
    tree.link("/w/g/refs");
    CHECK(git_part(tree, "/w/g/config") == GitPart::config);
}

TEST_CASE("a reftable repository and a directory with HEAD and commondir count") {
    MemoryTree tree;
    tree.directory("/w/r/objects")
        .directory("/w/r/reftable")
        .file("/w/r/HEAD", "ref: refs/heads/.invalid\n");
    CHECK(git_part(tree, "/w/r/hooks/update") == GitPart::hook);
    tree.link("/w/c/HEAD").file("/w/c/commondir", "../g\n");
    CHECK(git_part(tree, "/w/c/config.worktree") == GitPart::config);
    tree.directory("/w/d/HEAD").file("/w/d/commondir", "../g\n");
    CHECK(git_part(tree, "/w/d/config.worktree") == GitPart::none);
}

TEST_CASE("the tree is not looked at for a path without a telling component") {
    const MemoryTree tree;
    CHECK(git_part(tree, "/home/u/app/src/components/button/index.tsx") == GitPart::none);
    CHECK(git_part(tree, "/w/.git/objects/ab/0123456789") == GitPart::none);
    CHECK(git_part(tree, "/w/webhooks/list.c") == GitPart::none);
    CHECK(tree.looks == 0);
}

TEST_CASE("a bare-like directory is completed by its last part, in any order") {
    for (const auto& [first, last] :
         {std::pair("objects", "refs"), std::pair("refs", "objects"),
          std::pair("objects", "reftable"), std::pair("reftable", "objects")}) {
        MemoryTree tree;
        const std::string path = std::string("/w/x/") + last;
        CHECK(completes_git_dir(tree, path, Kind::directory) == std::nullopt);
        tree.directory(std::string("/w/x/") + first);
        CHECK(completes_git_dir(tree, path, Kind::directory) == "/w/x");
        CHECK(completes_git_dir(tree, path, Kind::other) == "/w/x");
        CHECK(completes_git_dir(tree, path, Kind::absent) == std::nullopt);
        tree.directory(path);
        CHECK(completes_git_dir(tree, "/w/x/HEAD", Kind::file) == std::nullopt);
    }
    for (const auto& [first, last] :
         {std::pair("HEAD", "commondir"), std::pair("commondir", "HEAD")}) {
        MemoryTree tree;
        tree.file(std::string("/w/x/") + first);
        const std::string path = std::string("/w/x/") + last;
        CHECK(completes_git_dir(tree, path, Kind::file) == "/w/x");
        CHECK(completes_git_dir(tree, path, Kind::directory) == std::nullopt);
    }
}

TEST_CASE("a directory that is one by name is not completed, one below modules is") {
    MemoryTree tree;
    tree.directory("/w/.git/objects")
        .directory("/w/.git/modules/a")
        .directory("/w/.git/modules/a/objects");
    tree.file("/w/.git/worktrees/n/HEAD");
    CHECK(completes_git_dir(tree, "/w/.git/refs", Kind::directory) == std::nullopt);
    CHECK(completes_git_dir(tree, "/w/.git/worktrees/n/commondir", Kind::file) == std::nullopt);
    CHECK(completes_git_dir(tree, "/w/.git/modules/a/refs", Kind::directory) ==
          "/w/.git/modules/a");
    CHECK(completes_git_dir(tree, "/w/refs", Kind::directory) == std::nullopt);
    tree.directory("/objects");
    CHECK(completes_git_dir(tree, "/refs", Kind::directory) == "/");
}

TEST_CASE("names that make a directory a git directory at once are known") {
    for (const char* path : {"/w/.git", "/.git", "/w/.git/modules/a", "/w/.git/modules/a/b",
                             "/w/.git/worktrees/n", "/w/.git/modules/a/worktrees/n"}) {
        CHECK_MESSAGE(is_git_dir_name(path), path);
    }
    for (const char* path : {"/w/git", "/w/.git/modules", "/w/.git/modules/", "/w/.git/worktrees",
                             "/w/worktrees/n", "/w/.gitx", "/"}) {
        CHECK_MESSAGE(!is_git_dir_name(path), path);
    }
}

TEST_CASE("a pointer's target is resolved by text") {
    CHECK(git_pointer_target("/w/wt", "gitdir: /w/.git/worktrees/wt\n") == "/w/.git/worktrees/wt");
    CHECK(git_pointer_target("/w/libs/a", "gitdir: ../../.git/modules/a\r\n") ==
          "/w/.git/modules/a");
    CHECK(git_pointer_target("/w/.git/worktrees/n", "../..\n") == "/w/.git");
    CHECK(git_pointer_target("/w", "a b/./c//d/\n") == "/w/a b/c/d");
    CHECK(git_pointer_target("/w", "../..") == std::nullopt);
    CHECK(git_pointer_target("/w", "..") == "/");
    CHECK(git_pointer_target("/w", "") == std::nullopt);
    CHECK(git_pointer_target("/w", "gitdir: \n") == std::nullopt);
    CHECK(git_pointer_target("/w", "a\nb\n") == std::nullopt);
    CHECK(git_pointer_target("/w", std::string_view("a\0b", 3)) == std::nullopt);
    CHECK(git_pointer_target("/w", std::string(5000, 'a')) == std::nullopt);
}

TEST_CASE("the pointers that git worktree writes are trusted, others at their place are not") {
    MemoryTree tree;
    tree.repository("/w/.git").file("/w/.git/worktrees/n/gitdir", "/wt/.git\n");
    CHECK(is_trusted_pointer(tree, "/wt/.git", "gitdir: /w/.git/worktrees/n\n"));
    CHECK(is_trusted_pointer(tree, "/w/.git/worktrees/n/commondir", "../..\n"));
    CHECK(is_trusted_pointer(tree, "/w/.git/worktrees/n/gitdir", "/wt/.git\n"));

    CHECK_FALSE(is_trusted_pointer(tree, "/other/.git", "gitdir: /w/.git/worktrees/n\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/wt/.git", "/w/.git/worktrees/n\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/wt/.git", "gitdir: /tmp/x\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/wt/.git", "gitdir: /w/.git\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/w/.git/worktrees/n/commondir", "/tmp/x\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/w/.git/commondir", "/w/.git\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/w/.git/worktrees/n/gitdir", "/etc/passwd\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/w/.git/worktrees/n/gitdir", "gitdir: /wt/.git\n"));
}

TEST_CASE("a worktree of a bare repository is trusted by the repository's content") {
    MemoryTree tree;
    tree.file("/b/worktrees/n/gitdir", "/w/.git\n");
    CHECK_FALSE(is_trusted_pointer(tree, "/w/.git", "gitdir: /b/worktrees/n\n"));
    tree.repository("/b");
    CHECK(is_trusted_pointer(tree, "/w/.git", "gitdir: /b/worktrees/n\n"));
}

TEST_CASE("a submodule's pointer is trusted inside the work tree that holds it") {
    MemoryTree tree;
    tree.repository("/w/.git").file("/w/.git/worktrees/n/gitdir", "/wt/.git\n");
    CHECK(is_trusted_pointer(tree, "/w/libs/a/.git", "gitdir: ../../.git/modules/libs/a\n"));
    CHECK(is_trusted_pointer(tree, "/w/a/b/.git", "gitdir: ../../.git/modules/a/modules/b\n"));
    CHECK(is_trusted_pointer(tree, "/wt/a/.git", "gitdir: /w/.git/worktrees/n/modules/a\n"));

    CHECK_FALSE(is_trusted_pointer(tree, "/v/a/.git", "gitdir: /w/.git/modules/a\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/w/.git", "gitdir: /w/.git/modules/a\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/w/a/.git", "gitdir: /w/modules/a\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/w/a/.git", "gitdir: /w/.git/modules/../../x\n"));
    CHECK_FALSE(is_trusted_pointer(tree, "/w/a/.git", "gitdir: /w/.git/modules\n"));
}

TEST_CASE("a new bare repository as git makes it has nothing objectionable") {
    MemoryTree tree;
    tree.repository("/w/b.git").directory("/w/b.git/hooks").file("/w/b.git/hooks/update.sample");
    tree.file("/w/b.git/info/exclude");
    CHECK(objectionable_parts(tree, "/w/b.git") == Parts{});
    CHECK(objectionable_parts(tree, "/w/empty") == Parts{});
}

TEST_CASE("everything that git would run or trust in a prepared directory is named") {
    MemoryTree tree;
    tree.repository("/w/x").file("/w/x/config",
                                 "[core]\n fsmonitor = touch x\n bare = true\n[alias]\n x = !y\n");
    tree.file("/w/x/config.worktree", "[core]\n hooksPath = h\n")
        .file("/w/x/commondir", "../evil\n");
    tree.directory("/w/x/hooks").file("/w/x/hooks/pre-commit").link("/w/x/hooks/post-rewrite");
    tree.file("/w/x/info/attributes");
    CHECK(objectionable_parts(tree, "/w/x") ==
          Parts{"config: alias.x", "config: core.fsmonitor", "config.worktree: core.hookspath",
                "commondir: /w/evil", "hooks/post-rewrite", "hooks/pre-commit", "info/attributes"});
    CHECK(objectionable_parts(tree, "/w/x", {"alias.*", "core.*"}) ==
          Parts{"commondir: /w/evil", "hooks/post-rewrite", "hooks/pre-commit", "info/attributes"});
}

TEST_CASE("a config or hooks that cannot be looked into is objectionable") {
    MemoryTree tree;
    tree.link("/w/x/config")
        .file("/w/x/config.worktree", "[broken")
        .link("/w/x/hooks")
        .link("/w/x/commondir");
    CHECK(objectionable_parts(tree, "/w/x") ==
          Parts{"config: unreadable", "config.worktree: unreadable", "commondir: unreadable",
                "hooks: not a directory"});
}

TEST_CASE("core.worktree of a directory to be completed passes inside the workspace") {
    MemoryTree tree;
    tree.file("/w/.git/modules/a/config", "[core]\n worktree = ../../../a\n");
    CHECK(objectionable_parts(tree, "/w/.git/modules/a", {}, "/w") == Parts{});
    CHECK(objectionable_parts(tree, "/w/.git/modules/a", {}, "/v") ==
          Parts{"config: core.worktree"});
}
