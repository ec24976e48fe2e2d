// Holds git_config and git_keys against the git that is installed.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "policy/git_config.h"
#include "policy/git_keys.h"

namespace fs = std::filesystem;
using policy::GitSetting;

namespace {

/// A directory of its own, removed at the end, and an environment in which git reads no one else's
/// configuration.
class Scratch {
  public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "git-compare-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        root_ = fs::canonical(name);
        setenv("HOME", (root_ / "home").c_str(), 1);
        setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
        setenv("GIT_CONFIG_GLOBAL", (root_ / "global").c_str(), 1);
        setenv("GIT_CEILING_DIRECTORIES", root_.parent_path().c_str(), 1);
        setenv("LC_ALL", "C", 1);
        write("global",
              "[user]\n name = n\n email = e\n[protocol \"file\"]\n allow = always\n"
              "[init]\n defaultBranch = main\n[uploadpack]\n allowFilter = true\n");
    }
    ~Scratch() { fs::remove_all(root_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const fs::path& root() const { return root_; }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(root_ / name, std::ios::binary) << text;
    }

    struct Outcome {
        int status;
        std::string output;
    };
    /// Runs `command` with sh in the directory.
    Outcome run(const std::string& command) const {
        const std::string line = "cd '" + root_.string() + "' && { " + command + "\n}";
        FILE* pipe = popen(line.c_str(), "r");
        REQUIRE(pipe != nullptr);
        std::string output;
        std::array<char, 4096> buffer;
        while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe)) {
            output.append(buffer.data(), size);
        }
        const int status = pclose(pipe);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
    }

    /// What git reads from `text`; nothing when it rejects it.
    std::optional<std::vector<GitSetting>> settings(const std::string& text) const {
        write("config", text);
        const Outcome outcome = run("git config -f config --list -z 2>errors");
        if (outcome.status != 0) return std::nullopt;
        std::vector<GitSetting> result;
        std::size_t start = 0;
        for (std::size_t end; (end = outcome.output.find('\0', start)) != std::string::npos;
             start = end + 1) {
            const std::string entry = outcome.output.substr(start, end - start);
            const std::size_t line = entry.find('\n');
            if (line == std::string::npos) {
                result.push_back({entry, "true"});
            } else {
                result.push_back({entry.substr(0, line), entry.substr(line + 1)});
            }
        }
        return result;
    }

  private:
    fs::path root_;
};

std::string shown(const std::optional<std::vector<GitSetting>>& settings) {
    if (!settings) return "rejected";
    std::string text;
    for (const GitSetting& setting : *settings)
        text += setting.key + "\n  =[" + setting.value + "]\n";
    return text;
}

std::string ours(const std::string& text) {
    const auto settings = policy::parse_git_config(text);
    return settings ? shown(*settings) : "rejected";
}

const std::vector<std::string> cases = {
    "",
    "\n\n",
    "key = before any section\n",
    "[a]\nb=c",
    "[a]b=c\n[d]e",
    "[a] ; comment\n b = c ; d\n # e\n",
    "[A.B.c]\nD-e = f\n",
    "[a \"B \\\" \\\\ \\x ] c\"]\nd = e\n",
    "[a.b \"C\"]\nd = e\n",
    "[a \t \"b\"]\nc=d\n",
    "[a \"b\" ]\nc=d\n",
    "[a \"b\"x]\nc=d\n",
    "[a \"\"]\nc=d\n",
    "[a b]\nc=d\n",
    "[a \"b\n\"]\nc=d\n",
    "[a \"b\\\n\"]\nc=d\n",
    "[.]\nc=d\n",
    "[-]\nc=d\n",
    "[1]\nc=d\n",
    "[]\nc=d\n",
    "[a_b]\nc=d\n",
    "[ a]\nc=d\n",
    "[ \"a\"]\nc=d\n",
    "[a\n]\nc=d\n",
    "[a",
    "[a]\n-b = c\n",
    "[a]\nb_c = d\n",
    "[a]\nb c = d\n",
    "[a]\nb ; comment\n",
    "[a]\nb # comment\n",
    "[a]\nb == c\n",
    "[a]\nb \t= \t c \t d \t \n",
    "[a]\nb = \" c \" d \" e \"\n",
    "[a]\nb = c\\\n d\\\n\\\ne\n",
    "[a]\nb = \"c\\\nd\"\n",
    "[a]\nb = \"c\nd\"\n",
    "[a]\nb = \"c",
    "[a]\nb = c\\",
    "[a]\nb = \\n\\t\\b\\\\\\\"\n",
    "[a]\nb = \\r\n",
    "[a]\nb = \\a\n",
    "[a]\nb = c;d#e\n",
    "[a]\nb = c\\;d\n",
    "[a]\nb = \";\" # \"\n",
    "[a]\nb = # c \\\nd = e\n",
    "[a]\r\nb = c\r\nd = e\\\r\n f\r\n",
    "[a]\nb = c\rd\n",
    "[a]\nb = c\r",
    "[a]\nb\r\n",
    "[a]\nb\r",
    "[a]\rb = c\n",
    "[a]\nb = c\fd\v\n",
    "[a]\n\fb = c\n",
    "\xEF\xBB\xBF[a]\nb = c\n",
    "\xEF\xBB[a]\nb = c\n",
    "\xEF\xBB\xBF\xEF\xBB\xBF[a]\nb = c\n",
    "[a]\n\xEF\xBB\xBF\nb = c\n",
    "[a]\nb = \xC3\xA9\xFF\n",
    "[\xC3\xA9]\nb = c\n",
    "[a]\nb = c\n[a]\nb = d\n",
    "] = b\n",
    "[a]]\nb = c\n",
    "[a]\nb = [c]\n",
    "[a][b]c=d\n",
    "[a]\nb =\n",
    "[a]\nb = \"\"\n",
    "[a]\nb = \"\"   \"\"\n",
    "[a]\nb =    \"\"   c\n",
};

// Texts near the grammar's edges: single characters would nearly all be rejected at once.
std::string generated(std::mt19937& random) {
    static const std::vector<std::string> pieces = {"[a]\n",   "[B.c]",    "[d \"E f\"]\n",
                                                    "[d \"",   "\"]",      "[",
                                                    "]",       "k = v\n",  "k",
                                                    "K-2 =",   "=",        " ",
                                                    "\t",      "\n",       "\r\n",
                                                    "\r",      "\\",       "\\\n",
                                                    "\\n",     "\\\"",     "\"",
                                                    "\"x y\"", ";",        "#c",
                                                    "word",    "\xC3\xA9", "\f",
                                                    "."};
    std::string text = random() % 4 != 0 ? "[s]\n" : "";
    for (std::size_t count = random() % 12; count > 0; --count)
        text += pieces[random() % pieces.size()];
    return text;
}

using Configs = std::map<fs::path, std::vector<GitSetting>>;

Configs configs(const fs::path& root) {
    Configs found;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const std::string name = entry.path().filename().string();
        if (!entry.is_regular_file() || (name != "config" && name != "config.worktree")) continue;
        if (!fs::exists(entry.path().parent_path() / "HEAD")) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const auto settings = policy::parse_git_config(text);
        REQUIRE(settings.has_value());
        found[entry.path()] = *settings;
    }
    return found;
}

std::string objections(const Configs& before, const Configs& after, const fs::path& root) {
    std::string text;
    for (const auto& [path, settings] : after) {
        const auto old = before.find(path);
        for (const std::string& key : policy::unsafe_git_changes(
                 old == before.end() ? std::vector<GitSetting>{} : old->second, settings, {},
                 path.parent_path().string(), root.string())) {
            text += path.string() + ": " + key + "\n";
        }
    }
    return text;
}

// What people do every day, one after the other in one directory.
const std::vector<std::string> everyday = {
    "git init a && cd a && git commit --allow-empty -m 1",
    "git init --bare empty.git",
    "git init --shared=group shared",
    "git init --object-format=sha256 sha256",
    "git clone a b",
    "git clone --bare a bare.git",
    "git clone --mirror a mirror.git",
    "git clone --depth 1 file://$PWD/a shallow",
    "git clone --filter=blob:none file://$PWD/a partial",
    "git clone --sparse a sparse",
    "git clone --single-branch --no-tags -o up a single",
    "git clone --reference a --dissociate a reference",
    "cd b && git config user.name x && git config user.email y && git config commit.gpgSign false",
    "cd b && git config user.signingKey k && git config pull.rebase true && git config "
    "push.default current",
    "cd b && git config --unset user.signingKey && git config core.autocrlf input",
    "cd b && git remote add fork ../a && git remote add -f -t main --no-tags m ../a",
    "cd b && git remote rename fork other && git remote set-url other git@example.org:x/y.git",
    "cd b && git remote set-url --add --push other ssh://git@example.org/x && git remote "
    "set-branches other main",
    "cd b && git remote remove other",
    "cd b && git switch -c topic && git branch --set-upstream-to=origin/main && git push -u origin "
    "topic",
    "cd b && GIT_EDITOR='printf d >' git branch --edit-description && git branch -m topic renamed",
    "cd b && git branch -c renamed copied && git switch main && git branch -D renamed copied",
    "cd b && touch f && git add f && git stash && git stash pop && git commit -m f",
    "cd b && git switch -c r HEAD~1 && git commit --allow-empty -m r && git rebase main && git "
    "switch main",
    "cd b && git gc -q && git maintenance run --quiet && git repack -adq && git prune",
    "cd b && git notes add -m n && git bisect start && git bisect reset && git rerere",
    "cd b && git sparse-checkout set x && git sparse-checkout add y && git sparse-checkout disable",
    "cd b && git config extensions.worktreeConfig true && git worktree add ../wt -b wt && cd ../wt "
    "&& git status",
    "cd wt && git config --worktree core.sparseCheckout false && git sparse-checkout set z",
    "cd a && git worktree add -b inner in && git worktree move in moved && git worktree remove "
    "moved",
    "cd b && git submodule add ../a libs/sub && git commit -m sub && git submodule sync && git "
    "submodule update",
    "git clone --recurse-submodules b super",
    "git clone b super2 && cd super2 && git submodule init && git submodule update && git "
    "submodule absorbgitdirs",
    "cd super2 && git submodule update --init --recursive && git submodule foreach git status",
    "cd super2 && git submodule set-branch -b main libs/sub && git submodule set-url libs/sub ../b",
    "cd super2 && git submodule deinit -f libs/sub",
    "cd b && git worktree add ../wt2 && cd ../wt2 && git submodule update --init",
    "git init plain && cd plain && git init old && cd old && git commit --allow-empty -m 1 && cd "
    ".. &&"
    " git submodule add ./old old && git submodule absorbgitdirs",
    "cd b && git fetch --all && git pull --no-rebase && git push origin HEAD:new",
};

}  // namespace

TEST_CASE("every case is read as git reads it") {
    const Scratch scratch;
    for (const std::string& text : cases)
        CHECK_MESSAGE(ours(text) == shown(scratch.settings(text)), text);
}

TEST_CASE("generated texts are read as git reads them") {
    const Scratch scratch;
    std::mt19937 random(20230117);
    int accepted = 0;
    constexpr int count = 1000;
    for (int i = 0; i < count; ++i) {
        const std::string text = generated(random);
        const std::string expected = shown(scratch.settings(text));
        if (expected != "rejected") ++accepted;
        CHECK_MESSAGE(ours(text) == expected, text);
    }
    CHECK(accepted > count / 10);
    CHECK(accepted < count * 9 / 10);
}

TEST_CASE("every key that git documents is classified") {
    const Scratch scratch;
    const auto listed = scratch.run("git help --config && git help --config-for-completion");
    REQUIRE(listed.status == 0);
    std::set<std::string> unclassified;
    int count = 0;
    std::size_t start = 0;
    for (std::size_t end; (end = listed.output.find('\n', start)) != std::string::npos;
         start = end + 1) {
        std::string key = listed.output.substr(start, end - start);
        // Beside keys there is a closing hint, and "alias." stands for a prefix to be completed.
        if (key.empty() || key.find(' ') != std::string::npos || key.ends_with('.')) continue;
        for (std::size_t open; (open = key.find('<')) != std::string::npos;) {
            key.replace(open, key.find('>', open) - open + 1, "NAME");
        }
        const std::size_t last = key.rfind('.');
        for (std::size_t i = 0; i < key.size(); ++i) {
            if (i < key.find('.') || i > last) key[i] = static_cast<char>(tolower(key[i]));
        }
        ++count;
        if (policy::git_key_rule(key).kind == policy::GitKeyKind::unknown) unclassified.insert(key);
    }
    CHECK(count > 700);
    std::string names;
    for (const std::string& key : unclassified) names += key + "\n";
    CHECK(names == "");
}

TEST_CASE("nothing that everyday commands write to a config is refused") {
    const Scratch scratch;
    Configs before;
    for (const std::string& command : everyday) {
        const auto outcome = scratch.run("{ " + command + "; } 2>&1");
        CHECK_MESSAGE(outcome.status == 0, command << "\n" << outcome.output);
        Configs after = configs(scratch.root());
        CHECK_MESSAGE(objections(before, after, scratch.root()) == "", command);
        before = std::move(after);
    }
    CHECK(before.size() > 20);
}

TEST_CASE("a key that makes git run something is refused in the config that git wrote") {
    const Scratch scratch;
    REQUIRE(scratch.run("git init -q a").status == 0);
    const Configs before = configs(scratch.root());
    REQUIRE(scratch
                .run("cd a && git config core.hooksPath h && git config alias.x '!sh' && git "
                     "config user.name n")
                .status == 0);
    const std::string file = (scratch.root() / "a/.git/config").string();
    CHECK(objections(before, configs(scratch.root()), scratch.root()) ==
          file + ": alias.x\n" + file + ": core.hookspath\n");
}
