// What holds below a directory, beside brute force over generated trees and rules.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "fake_tree.h"

using namespace policy;

namespace {

using Random = std::mt19937;

// All paths of up to four components over a small alphabet.
std::vector<std::string> universe() {
    static const std::vector<std::string> names{"a", "b", "ab", ".git", "hooks"};
    std::vector<std::string> paths{""};
    std::size_t begin = 0;
    for (int depth = 0; depth < 4; ++depth) {
        const std::size_t end = paths.size();
        for (std::size_t at = begin; at < end; ++at) {
            for (const std::string& name : names) paths.push_back(paths[at] + "/" + name);
        }
        begin = end;
    }
    return paths;
}

std::string pattern(Random& random) {
    static const std::vector<std::string> components{"a", "b",  "ab", "a",  "b",
                                                     "*", "**", "a*", "?b", "[ab]"};
    std::string text;
    const auto count = 1 + random() % 3;
    for (unsigned i = 0; i < count; ++i) text += "/" + components[random() % components.size()];
    return text;
}

std::string rules(Random& random) {
    static const std::vector<std::string> effects{"deny", "deny", "ask", "allow", "allow"};
    std::string text =
        "[groups]\ngit = " + std::string(random() % 2 == 0 ? "true" : "false") + "\n";
    const auto count = 1 + random() % 5;
    for (unsigned i = 0; i < count; ++i) {
        const std::string& effect = effects[random() % effects.size()];
        text += "[[rule]]\naccess = ['read', 'write']\n" + effect + " = ['" + pattern(random) +
                "', '" + pattern(random) + "']\n";
        if (random() % 2 == 0) text += "except = ['" + pattern(random) + "']\n";
        if (effect == "allow" && random() % 3 == 0) text += "override = true\n";
    }
    return text;
}

Policy load_rules(const std::string& text) {
    Variables variables;
    variables.workspace = "/a";
    variables.homes = {"/b"};
    auto policy = load({{Level::user, "p", text}}, variables, FakeSurroundings());
    if (!policy) throw std::runtime_error(policy.error().message() + "\n" + text);
    return std::move(*policy);
}

bool lies_below(const std::string& path, const std::string& directory) {
    return path.size() > directory.size() && path.starts_with(directory + "/");
}

std::string shown(const std::string& path) {
    return path.empty() ? "/" : path;
}

}  // namespace

TEST_CASE("what a directory promises holds for all of its descendants") {
    const std::vector<std::string> paths = universe();
    const FakeTree tree;
    int promises = 0;
    int allowances = 0;
    for (unsigned seed = 0; seed < 120; ++seed) {
        Random random(seed);
        const std::string text = rules(random);
        const Policy policy = load_rules(text);
        for (const Access access : {Access::read, Access::write}) {
            std::vector<bool> allowed;
            for (const std::string& path : paths)
                allowed.push_back(policy.decide(access, shown(path), {}, tree).allowed());
            for (int i = 0; i < 12; ++i) {
                const std::string& directory = paths[random() % 156];  // at most three components
                bool all = true;
                bool any = false;
                for (std::size_t at = 0; at < paths.size(); ++at) {
                    if (!lies_below(paths[at], directory)) continue;
                    all = all && allowed[at];
                    any = any || allowed[at];
                }
                if (!policy.may_refuse_below(access, shown(directory))) {
                    ++promises;
                    CHECK_MESSAGE(all, directory << " promises too much under\n" << text);
                }
                if (any) {
                    ++allowances;
                    CHECK_MESSAGE(policy.may_allow_below(access, shown(directory)),
                                  directory << " hides what is allowed under\n"
                                            << text);
                }
            }
        }
    }
    CHECK(promises > 50);
    CHECK(allowances > 200);
}

TEST_CASE("directories with equal rules below them give equal decisions for equal suffixes") {
    const std::vector<std::string> paths = universe();
    const FakeTree tree;
    int equal = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const std::string text = rules(random);
        const Policy policy = load_rules(text);
        for (int i = 0; i < 40; ++i) {
            const std::string& from = paths[1 + random() % 155];
            const std::string& to = paths[1 + random() % 155];
            for (const Access access : {Access::read, Access::write}) {
                if (from == to || !policy.equal_below(access, from, to)) continue;
                ++equal;
                for (const std::string& suffix : paths) {
                    if (suffix.empty() || suffix.size() > 8) continue;
                    const Decision before = policy.decide(access, from + suffix, {}, tree);
                    const Decision after = policy.decide(access, to + suffix, {}, tree);
                    CHECK_MESSAGE(before.effect == after.effect,
                                  from << " and " << to << " differ in " << suffix << " under\n"
                                       << text);
                }
            }
        }
    }
    CHECK(equal > 200);
}

TEST_CASE("where children can be told apart by name, descending by names misses nothing") {
    const std::vector<std::string> paths = universe();
    const FakeTree tree;
    int told = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const std::string text = rules(random);
        const Policy policy = load_rules(text);
        for (int i = 0; i < 20; ++i) {
            const std::string& directory = paths[random() % 31];
            if (!policy.literal_below(Access::read, shown(directory)) ||
                !policy.decide(Access::read, shown(directory), {}, tree).allowed())
                continue;
            // A name that no rule can know must then be as free as the directory promises for all
            // but the named ones.
            const std::string unknown = directory + "/zz-unknown";
            if (policy.may_refuse_below(Access::read, shown(directory)) &&
                policy.may_allow_below(Access::read, unknown) &&
                policy.decide(Access::read, unknown, {}, tree).allowed()) {
                ++told;
                CHECK_FALSE_MESSAGE(policy.may_refuse_below(Access::read, unknown),
                                    directory << " under\n"
                                              << text);
            }
        }
    }
    CHECK(told > 10);
}

TEST_CASE("children that are not named as narrowed are granted with all that is below them") {
    std::vector<std::string> paths = universe();
    const FakeTree tree;
    int told = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const std::string text = rules(random);
        const Policy policy = load_rules(text);
        for (int i = 0; i < 31; ++i) {
            const std::string& directory = paths[i];
            const auto narrowed = policy.narrowed_children(Access::read, shown(directory));
            if (!narrowed) continue;
            CHECK(std::is_sorted(narrowed->begin(), narrowed->end()));
            for (const std::string& path : paths) {
                if (!lies_below(path, directory)) continue;
                const std::string_view rest = std::string_view(path).substr(directory.size() + 1);
                const std::string_view name = rest.substr(0, rest.find('/'));
                if (std::binary_search(narrowed->begin(), narrowed->end(), name)) continue;
                told += narrowed->empty() ? 0 : 1;
                CHECK_MESSAGE(policy.decide(Access::read, path, {}, tree).allowed(),
                              path << " is refused under\n"
                                   << text);
            }
        }
    }
    CHECK(told > 1000);
}

TEST_CASE(
    "children are named where a rule names them, and not where a glob or a git part decides") {
    using Names = std::vector<std::string_view>;
    const Policy policy =
        load_user("[[rule]]\naccess='read'\ndeny=['/srv/b/x', '/srv/a', '/srv/b/y']\n");
    CHECK(policy.narrowed_children(Access::read, "/srv") == Names{"a", "b"});
    CHECK(policy.narrowed_children(Access::read, "/srv/b") == Names{"x", "y"});
    CHECK(policy.narrowed_children(Access::read, "/usr") == Names{});
    CHECK_FALSE(policy.narrowed_children(Access::read, "/srv/a"));
    CHECK_FALSE(policy.narrowed_children(Access::read, "/dev"));
    CHECK_FALSE(policy.narrowed_children(Access::write, "/home/u/app"));
    FakeSurroundings surroundings;
    surroundings.ignore_files = true;
    const Policy observed = load_user("", surroundings);
    CHECK_FALSE(observed.narrowed_children(Access::read, "/home/u/app"));
    CHECK(*observed.narrowed_children(Access::read, "/home") == Names{"u"});
}

TEST_CASE("the machine's secrets are told from what else is refused") {
    using Paths = std::vector<std::string_view>;
    const Policy policy = load_user("[[rule]]\naccess='read'\ndeny='/etc/x'\n");
    CHECK(policy.machine_secrets_below(Access::read, "/var") == Paths{"/var/lib/docker"});
    CHECK(policy.machine_secrets_below(Access::read, "/usr") == Paths{});
    CHECK_FALSE(policy.machine_secrets_below(Access::read, "/etc"));
    CHECK_FALSE(policy.machine_secrets_below(Access::read, "/"));
    CHECK(load_user("").machine_secrets_below(Access::read, "/etc")->size() > 10);
}

TEST_CASE("renaming within a workspace needs no scan, renaming into or out of protection does") {
    const Policy policy = load_user("");
    const auto equal = [&](const char* from, const char* to) {
        return policy.equal_below(Access::write, from, to);
    };
    CHECK(equal("/home/u/app/a", "/home/u/app/b"));
    CHECK(equal("/home/u/app/a", "/home/u/app/src/deep/b"));
    CHECK(equal("/home/u/app/node_modules/.x-1", "/home/u/app/node_modules/x"));
    CHECK_FALSE(equal("/home/u/app/a", "/home/u/app/.vscode"));
    CHECK_FALSE(equal("/home/u/app/a", "/tmp/a"));
    CHECK_FALSE(equal("/home/u/app/a", "/home/u/app/node_modules/a"));
    CHECK_FALSE(equal("/home/u/app/.git", "/home/u/app/g"));
    CHECK_FALSE(equal("/home/u/app/x", "/home/u/app/hooks"));
    CHECK_FALSE(equal("/home/u/app/.git/a", "/home/u/app/.git/b"));
    CHECK(equal("/home/u/worktrees/w/a", "/home/u/worktrees/w/b"));
    FakeSurroundings surroundings;
    surroundings.ignore_files = true;
    CHECK_FALSE(
        load_user("", surroundings).equal_below(Access::read, "/home/u/app/a", "/home/u/app/b"));
}

TEST_CASE(
    "the floor can tell secrets apart by name, and grants nothing where git could be told what to "
    "run") {
    const Policy policy = load_user("");
    for (const char* path : {"/", "/home", "/home/u", "/home/u/.config", "/etc", "/home/u/.ssh"}) {
        CHECK(policy.may_refuse_below(Access::read, path));
        CHECK(policy.literal_below(Access::read, path));
    }
    for (const char* path : {"/usr", "/home/u/app", "/home/u/.cargo/registry", "/tmp", "/var/log"})
        CHECK_FALSE(policy.may_refuse_below(Access::read, path));
    CHECK(policy.may_allow_below(Access::read, "/home/u/.ssh"));
    CHECK_FALSE(policy.may_allow_below(Access::read, "/home/u/.gnupg"));
    CHECK(policy.may_refuse_below(Access::write, "/tmp"));
    CHECK_FALSE(policy.literal_below(Access::write, "/tmp"));
    CHECK_FALSE(load_user("[[rule]]\naccess='write'\nallow='/tmp/scratch'\noverride=true\n")
                    .may_refuse_below(Access::write, "/tmp/scratch"));
    CHECK(load_user("[[rule]]\naccess='read'\ndeny='{workspace}/**/*.env'\n")
              .literal_below(Access::read, "/home/u"));
    CHECK_FALSE(load_user("[[rule]]\naccess='read'\ndeny='{workspace}/**/*.env'\n")
                    .literal_below(Access::read, "/home/u/app"));
}
