// Builds directories of every shape and asks the installed git which config files it takes: each
// must be protected.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "policy/git_layout.h"

namespace fs = std::filesystem;
using policy::GitPart;

namespace {

class RealTree : public policy::Tree {
  public:
    Kind kind(std::string_view path) const override {
        std::error_code error;
        switch (fs::symlink_status(path, error).type()) {
            case fs::file_type::not_found:
            case fs::file_type::none:
                return Kind::absent;
            case fs::file_type::regular:
                return Kind::file;
            case fs::file_type::directory:
                return Kind::directory;
            default:
                return Kind::other;
        }
    }
    std::optional<std::string> content(std::string_view path, std::size_t limit) const override {
        std::ifstream file(std::string(path), std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(file), {}};
        if (!file.is_open() || text.size() > limit) return std::nullopt;
        return text;
    }
};

class Scratch {
  public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "git-discovery-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        root = fs::canonical(name);
        setenv("HOME", root.c_str(), 1);
        setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
        setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
        setenv("GIT_CEILING_DIRECTORIES", root.parent_path().c_str(), 1);
    }
    ~Scratch() { fs::remove_all(root); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    fs::path root;
};

void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

// One thing that a repository is made of, in one of its forms, in the directory `at`.
struct Piece {
    const char* name;
    void (*make)(const fs::path& at);
};

const std::vector<Piece> pieces = {
    {"HEAD", [](const fs::path& at) { write(at / "HEAD", "ref: refs/heads/main\n"); }},
    {"HEAD", [](const fs::path& at) { write(at / "HEAD", std::string(40, 'a') + "\n"); }},
    {"HEAD", [](const fs::path& at) { write(at / "HEAD", std::string(64, 'a') + "\n"); }},
    {"HEAD", [](const fs::path& at) { fs::create_symlink("refs/heads/main", at / "HEAD"); }},
    {"HEAD", [](const fs::path& at) { write(at / "HEAD", "nothing\n"); }},
    {"objects", [](const fs::path& at) { fs::create_directory(at / "objects"); }},
    {"objects", [](const fs::path& at) { fs::create_directory_symlink("/", at / "objects"); }},
    {"objects",
     [](const fs::path& at) {
         write(at / "objects", "");
         fs::permissions(at / "objects", fs::perms::all);
     }},
    {"refs", [](const fs::path& at) { fs::create_directory(at / "refs"); }},
    {"refs", [](const fs::path& at) { fs::create_directory_symlink("/", at / "refs"); }},
    {"refs",
     [](const fs::path& at) {
         write(at / "refs", "");
         fs::permissions(at / "refs", fs::perms::all);
     }},
    {"commondir", [](const fs::path& at) { write(at / "commondir", "../common\n"); }},
    {"commondir",
     [](const fs::path& at) { write(at / "commondir", (at.parent_path() / "common").string()); }},
    {"config.worktree",
     [](const fs::path& at) { write(at / "config.worktree", "[worktree]\nkey = v\n"); }},
};

std::string git(const fs::path& directory, const std::string& arguments) {
    const std::string line = "cd '" + directory.string() + "' && git " + arguments + " 2>/dev/null";
    FILE* pipe = popen(line.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string output;
    std::array<char, 4096> buffer;
    while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe))
        output.append(buffer.data(), size);
    pclose(pipe);
    return output;
}

// The files that git takes its configuration from when run in `directory`, canonical.
std::set<std::string> config_files(const fs::path& directory) {
    const std::string output = git(directory, "config -z --show-origin --list");
    std::set<std::string> files;
    std::size_t start = 0;
    // Origin and setting alternate.
    bool origin = true;
    for (std::size_t end; (end = output.find('\0', start)) != std::string::npos; start = end + 1) {
        const std::string entry = output.substr(start, end - start);
        if (origin && entry.starts_with("file:")) {
            files.insert(fs::weakly_canonical(directory / entry.substr(5)).string());
        }
        origin = !origin;
    }
    return files;
}

std::string listing(const fs::path& root) {
    std::string text;
    for (const auto& entry : fs::recursive_directory_iterator(root))
        text += entry.path().string() + "\n";
    return text;
}

}  // namespace

TEST_CASE(
    "every config that git takes from a directory of any shape is protected, and was when it "
    "became one") {
    const Scratch scratch;
    const RealTree tree;
    std::mt19937 random(7);
    int taken = 0;
    int not_taken = 0;
    for (int round = 0; round < 600; ++round) {
        const fs::path top = scratch.root / std::to_string(round);
        const fs::path plain = top / "plain";
        const fs::path common = top / "common";
        for (const fs::path& directory : {top, plain, common}) fs::create_directory(directory);
        for (const fs::path& directory : {plain, common}) {
            write(
                directory / "config",
                "[core]\nbare = true\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig\n");
        }
        std::set<std::string> completed;
        for (std::size_t count = random() % 12; count > 0; --count) {
            const fs::path& directory = random() % 2 == 0 ? plain : common;
            const Piece& piece = pieces[random() % pieces.size()];
            const fs::path path = directory / piece.name;
            if (tree.kind(path.string()) != policy::Tree::Kind::absent) continue;
            // The answer must be the one for the kind that comes into being, asked before it is
            // there.
            const fs::path twin = top / piece.name;
            piece.make(top);
            const auto kind = tree.kind(twin.string());
            fs::remove(twin);
            if (const auto done = policy::completes_git_dir(tree, path.string(), kind))
                completed.insert(*done);
            piece.make(directory);
        }
        const std::set<std::string> files = config_files(plain);
        for (const std::string& file : files) {
            CHECK_MESSAGE(policy::git_part(tree, file) == GitPart::config, file << "\n"
                                                                                << listing(top));
            CHECK_MESSAGE(completed.contains(fs::path(file).parent_path().string()),
                          file << "\n"
                               << listing(top));
        }
        (files.empty() ? not_taken : taken) += 1;
    }
    CHECK(taken > 30);
    CHECK(not_taken > 30);
}

TEST_CASE("the layout that git itself makes is recognised, and its pointers are trusted") {
    const Scratch scratch;
    const RealTree tree;
    const std::string script =
        "-c init.defaultBranch=main init -q a && cd a && git config user.name n && git config "
        "user.email e"
        " && git commit -q --allow-empty -m 1 && git worktree add -q ../wt && git worktree add -q "
        "in"
        " && git -c protocol.file.allow=always submodule --quiet add ../a libs/hooks"
        " && git commit -q -m sub && cd ../wt && git merge -q main"
        " && git -c protocol.file.allow=always submodule --quiet update --init"
        " && cd .. && git clone -q --bare a bare.git && cd bare.git && git worktree add -q "
        "../barewt"
        " && git config extensions.worktreeConfig true && cd ../barewt && git config --worktree "
        "core.abbrev 9"
        " && echo made";
    REQUIRE(git(scratch.root, script) == "made\n");

    int pointers = 0;
    int configs = 0;
    for (const auto& entry : fs::recursive_directory_iterator(scratch.root)) {
        const std::string path = entry.path().string();
        const std::string name = entry.path().filename().string();
        const GitPart part = policy::git_part(tree, path);
        if (name == "config" || name == "config.worktree") {
            CHECK_MESSAGE(part == (entry.is_regular_file() ? GitPart::config : GitPart::none),
                          path);
            ++configs;
        } else if (entry.is_regular_file() &&
                   (name == ".git" || name == "gitdir" || name == "commondir")) {
            CHECK_MESSAGE(part == GitPart::pointer, path);
            CHECK_MESSAGE(policy::is_trusted_pointer(tree, path, *tree.content(path, 4096)), path);
            ++pointers;
        } else if (name == "hooks" && path.find("libs/hooks") != path.size() - 10) {
            CHECK_MESSAGE(part == GitPart::hook, path);
        } else {
            CHECK_MESSAGE(part == GitPart::none, path);
        }
    }
    CHECK(configs == 5);
    CHECK(pointers == 11);
}
