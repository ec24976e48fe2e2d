// Ignore files beside `git check-ignore` on generated trees and patterns.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <utility>

#include "policy/ignore.h"

using namespace policy;
namespace fs = std::filesystem;

namespace {

using Random = std::mt19937;

std::string pick(Random& random, const std::vector<std::string>& from) {
    return from[random() % from.size()];
}

std::string name(Random& random) {
    static const std::vector<std::string> names{"a",   "b",   "ab",  "abc",  "foo", "bar", "foobar",
                                                "x.c", "y.c", "a b", "b ",   "#h",  "!n",  "[s]",
                                                "d-e", "7",   "A",   "a\\b", "é"};
    return pick(random, names);
}

std::string glob_component(Random& random) {
    static const std::vector<std::string> globs{
        "*",     "?",       "a*",     "*b",         "*.c",  "?.c",         "[ab]",         "[!a]",
        "[^b]*", "[a-f]oo", "f?o",    "**",         "a**b", "[[:digit:]]", "[[:alpha:]]*", "\\#h",
        "\\!n",  "\\[s\\]", "b\\ ",   "[]a]",       "[a-]", "[",           "[x",           "d[-]e",
        "*[!c]", "fo\\o",   "a\\\\b", "[[:nope:]]", "***",  "\\",          "[\\]]"};
    return random() % 2 == 0 ? name(random) : pick(random, globs);
}

std::string line(Random& random) {
    std::string text;
    if (random() % 4 == 0) text += '!';
    if (random() % 4 == 0) text += '/';
    const auto components = 1 + random() % 3;
    for (unsigned i = 0; i < components; ++i) {
        if (i > 0) text += '/';
        if (i > 0 && random() % 4 == 0) text += "**/";
        text += glob_component(random);
    }
    if (random() % 5 == 0) text += '/';
    if (random() % 5 == 0) text += "/**";
    if (random() % 8 == 0) text += "  ";
    if (random() % 12 == 0) text += '\r';
    return text;
}

// The tree on disk, with .gitignore read where .sbxignore is asked for.
class DiskTree : public Tree {
  public:
    Kind kind(std::string_view path) const override {
        const fs::file_status status = fs::symlink_status(stored(path));
        if (fs::is_directory(status)) return Kind::directory;
        if (fs::is_regular_file(status)) return Kind::file;
        return fs::exists(status) ? Kind::other : Kind::absent;
    }
    std::optional<std::string> content(std::string_view path, std::size_t) const override {
        if (path.ends_with(".cursorignore")) return std::nullopt;
        std::ifstream file(stored(path), std::ios::binary);
        if (!file) return std::nullopt;
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

  private:
    static std::string stored(std::string_view path) {
        std::string real(path);
        if (real.ends_with("/.sbxignore")) real.replace(real.size() - 10, 10, ".gitignore");
        return real;
    }
};

std::set<std::string> ignored_by_git(const fs::path& root, const std::vector<std::string>& paths) {
    const std::string list = (root / ".git/asked").string();
    std::ofstream asked(list, std::ios::binary);
    for (const std::string& path : paths) asked << path << '\0';
    asked.close();
    const std::string command =
        "git -C '" + root.string() + "' check-ignore --no-index -z --stdin < '" + list + "'";
    FILE* output = popen(command.c_str(), "r");
    REQUIRE(output != nullptr);
    std::set<std::string> ignored;
    std::string current;
    for (int c = fgetc(output); c != EOF; c = fgetc(output)) {
        if (c != 0)
            current += static_cast<char>(c);
        else
            ignored.insert(std::exchange(current, {}));
    }
    pclose(output);
    return ignored;
}

std::vector<std::string> make_tree(const fs::path& root, Random& random) {
    std::vector<std::string> paths;
    std::vector<std::string> directories{""};
    for (int i = 0; i < 30; ++i) {
        const std::string path = pick(random, directories) + name(random);
        if (fs::exists(root / path)) continue;
        if (random() % 2 == 0) {
            fs::create_directory(root / path);
            directories.push_back(path + "/");
        } else {
            std::ofstream(root / path) << "x";
        }
        paths.push_back(path);
    }
    for (const std::string& directory : directories) {
        if (!directory.empty() && random() % 3 != 0) continue;
        std::ofstream ignore(root / (directory + ".gitignore"), std::ios::binary);
        const auto lines = 1 + random() % 5;
        for (unsigned i = 0; i < lines; ++i) ignore << line(random) << '\n';
    }
    return paths;
}

std::string ignore_files(const fs::path& root) {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.path().filename() != ".gitignore") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        all += entry.path().string() + ":\n" + text.str();
    }
    return all;
}

}  // namespace

TEST_CASE("ignore files ignore what git ignores, on generated trees") {
    std::string base = (fs::temp_directory_path() / "sbxsh-ignore-XXXXXX").string();
    REQUIRE(mkdtemp(base.data()) != nullptr);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    const DiskTree tree;
    std::size_t ignored_count = 0;
    std::size_t differences = 0;
    for (unsigned seed = 0; seed < 200 && differences < 5; ++seed) {
        Random random(seed);
        const fs::path root = fs::path(base) / std::to_string(seed);
        fs::create_directories(root / ".git/objects");
        fs::create_directories(root / ".git/refs");
        std::ofstream(root / ".git/HEAD") << "ref: refs/heads/main\n";
        const std::vector<std::string> paths = make_tree(root, random);
        const std::set<std::string> expected = ignored_by_git(root, paths);
        ignored_count += expected.size();
        for (const std::string& path : paths) {
            const auto found = find_ignored(tree, root.string(), root.string() + "/" + path);
            if (found.has_value() == expected.contains(path)) continue;
            ++differences;
            FAIL_CHECK("seed " << seed << ": '" << path << "' is "
                               << (found ? "ignored by " + found->detail : "not ignored")
                               << ", git disagrees\n"
                               << ignore_files(root));
        }
        fs::remove_all(root);
    }
    fs::remove_all(base);
    CHECK(ignored_count > 500);
}
