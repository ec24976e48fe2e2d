// Whose will an outcome of the self-check is.
#include "ctl/verify/administrator.h"

#include <doctest/doctest.h>

#include "../launch/scratch.h"
#include "ctl/verify/targets.h"

namespace {

using policy::Access;

/// Ground to play on, and a policy of the administrator.
struct World {
    scratch::Directory directory;
    std::unique_ptr<ctl::verify::Ground> ground =
        *ctl::verify::Ground::lay_out({"/var/tmp"}, "/usr/bin:/bin");

    ctl::verify::Administrator administrator(const std::string& text) const {
        launch::SystemPaths paths;
        paths.admin_policy = directory.write("policy.toml", text);
        return ctl::verify::Administrator(*ground, paths);
    }
};

ctl::verify::Effect effect_with(std::optional<Access> access) {
    ctl::verify::Effect effect{};
    effect.access = access;
    return effect;
}

}  // namespace

TEST_CASE("a rule of the administrator is named where it changes an outcome, and only there") {
    const World world;
    const auto stage = ctl::verify::outside_tree(*world.ground);
    REQUIRE(stage);
    const auto administrator =
        world.administrator("[[rule]]\nid = \"site.play\"\naccess = \"write\"\nallow = \"" +
                            world.ground->base() + "/**\"\n");
    CHECK(administrator.differs(effect_with(Access::write), *stage) ==
          "allowed by site.play (" + (world.directory / "policy.toml") + ":1)");
    CHECK(administrator.differs(effect_with(Access::read), *stage) == std::nullopt);
    CHECK(administrator.differs(effect_with(std::nullopt), *stage) == std::nullopt);
    CHECK(world.administrator("").differs(effect_with(Access::write), *stage) == std::nullopt);
}

TEST_CASE("a variable that the administrator keeps is the administrator's will") {
    const World world;
    ctl::verify::Stage stage;
    stage.variables = {"VERIFY_TOKEN=x"};
    const auto administrator = world.administrator("[environment]\nkeep = [\"VERIFY_TOKEN\"]\n");
    CHECK(administrator.differs(effect_with(std::nullopt), stage) ==
          (world.directory / "policy.toml") + " says what leaves the environment");
    CHECK(world.administrator("").differs(effect_with(std::nullopt), stage) == std::nullopt);
}

TEST_CASE("there is no ground to play on where the sandbox may write") {
    CHECK(!ctl::verify::Ground::lay_out({"/tmp", "/nonexistent"}, "/bin"));
    const auto ground = ctl::verify::Ground::lay_out({"/nonexistent", "/tmp", "/var/tmp"}, "/bin");
    REQUIRE(ground);
    CHECK((*ground)->base().starts_with("/var/tmp/sbxctl-verify."));
}
