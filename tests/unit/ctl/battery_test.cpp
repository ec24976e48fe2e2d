// The table of the self-check, and how it looks.
#include "ctl/verify/battery.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "../launch/scratch.h"
#include "ctl/verify/snapshot.h"

TEST_CASE("each effect has an id of its own, a sentence, and a way to be tried") {
    std::set<std::string_view> ids;
    for (const ctl::verify::Family& family : ctl::verify::battery()) {
        for (const ctl::verify::Effect& effect : family.effects) {
            CAPTURE(effect.id);
            CHECK(ids.insert(effect.id).second);
            CHECK(!effect.what.empty());
            const bool tries = effect.attempt != nullptr;
            CHECK(bool(effect.stage != nullptr));
            CHECK(bool(tries || effect.line != ctl::verify::Effect{}.line));
            // An attack that the shell makes would not be tried by system calls.
            if (family.kind == ctl::verify::Kind::attack) CHECK(tries);
        }
    }
    CHECK(ids.size() > 100);
}

TEST_CASE("a snapshot shows each kind of change, and reading is none") {
    const scratch::Directory directory;
    const std::string file = directory.write("tree/file", "text");
    const std::string tree = directory / "tree";
    std::string before = ctl::verify::snapshot(tree);
    const auto changed = [&] {
        const std::string after = ctl::verify::snapshot(tree);
        const bool differs = after != before;
        before = after;
        return differs;
    };
    std::ifstream(file).get();
    CHECK(!changed());
    std::ofstream(file, std::ios::app) << "more";
    CHECK(changed());
    chmod(file.c_str(), 0600);
    CHECK(changed());
    const timespec times[2] = {{1, 0}, {1, 0}};
    utimensat(AT_FDCWD, file.c_str(), times, 0);
    CHECK(changed());
    std::filesystem::create_hard_link(file, directory / "elsewhere");
    CHECK(changed());
    std::filesystem::create_symlink("file", directory / "tree/link");
    CHECK(changed());
    std::filesystem::remove(directory / "tree/link");
    CHECK(changed());
    std::filesystem::remove(file);
    CHECK(changed());
    CHECK(ctl::verify::snapshot(file) == "absent");
}
