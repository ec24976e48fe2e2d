// What holds under a policy, described.
#include "ctl/description.h"

#include <doctest/doctest.h>

#include "../launch/scratch.h"
#include "../launch/visit.h"

namespace {

struct World {
    scratch::Directory directory;
    std::string home = directory.make("home");
    std::string workspace = directory.make("work");
    launch::SystemPaths paths;

    World() {
        paths.passwd = directory.write("passwd", "");
        paths.admin_policy = directory / "admin.toml";
        paths.temporary = directory.make("tmp");
    }

    launch::LoadedPolicy load() const {
        const scratch::Visit visit(workspace);
        return launch::load_policy({}, {"HOME=" + home}, paths).value();
    }
};

bool has_line(const std::string& text, const std::string& line) {
    return text.find("\n" + line) != std::string::npos;
}

}  // namespace

TEST_CASE("the text names what may be written, read and reached, in short forms") {
    const World world;
    const std::string text = ctl::description_text(world.load());
    CHECK(has_line(text, "{workspace} is " + world.workspace + "\n"));
    CHECK(has_line(text, "- fs.write.workspace: {workspace}\n"));
    CHECK(has_line(text, "- secret.ssh, private keys: ~/.ssh; except ~/.ssh/known_hosts, "));
    CHECK(has_line(text, "- otherwise: deny (net.connect.default): "));
    CHECK(has_line(text, "Removed from the environment: "));
    CHECK(text.find(world.home) == std::string::npos);
    CHECK(text.size() < 12'000);
}

TEST_CASE("rules of a policy file are described with the others") {
    const World world;
    world.directory.write("work/.sbxsh.toml",
                          "[[rule]]\nid = \"my.rule\"\naccess = \"read\"\ndeny = "
                          "\"{workspace}/secret\"\nreason = \"it is mine\"\n");
    const launch::LoadedPolicy loaded = world.load();
    CHECK(has_line(ctl::description_text(loaded), "- my.rule, it is mine: {workspace}/secret\n"));
    const auto json = ctl::description_json(loaded);
    CHECK(json["policy_files"] == std::vector<std::string>{world.workspace + "/.sbxsh.toml"});
    bool found = false;
    for (const auto& rule : json["rules"]) {
        if (rule["id"] != "my.rule") continue;
        found = true;
        CHECK(rule["effect"] == "deny");
        CHECK(rule["accesses"] == std::vector<std::string>{"read"});
        CHECK(rule["patterns"] == std::vector<std::string>{world.workspace + "/secret"});
        CHECK(rule["origin"] == world.workspace + "/.sbxsh.toml:1");
    }
    CHECK(found);
}

TEST_CASE("the JSON names each default, and each rule once") {
    const World world;
    const auto json = ctl::description_json(world.load());
    CHECK(json["workspace"] == world.workspace);
    CHECK(json["defaults"].size() == 11);
    CHECK(json["defaults"]["write"]["effect"] == "deny");
    CHECK(json["defaults"]["execute"]["effect"] == "allow");
    std::vector<std::string> ids;
    for (const auto& rule : json["rules"]) ids.push_back(rule["id"]);
    std::sort(ids.begin(), ids.end());
    CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}
