// Home directories.
#include "launch/homes.h"

#include <doctest/doctest.h>

#include "scratch.h"

using Paths = std::vector<std::string>;

TEST_CASE("a user's homes are HOME, without its links, and the one in the password file") {
    const scratch::Directory directory;
    const std::string own = directory.make("own"), account = directory.make("account");
    directory.make("other");
    REQUIRE(symlink("own", (directory / "link").c_str()) == 0);
    const std::string passwd = "broken line\nme:x:1500:1500::" + account +
                               ":/bin/sh\nyou:x:1501:1501::" + directory / "other" + ":/bin/sh\n";
    const launch::Homes homes = launch::find_homes({"HOME=" + directory / "link"}, passwd, 1500);
    CHECK(homes.all == Paths{own, account});
    CHECK(homes.accounts == Paths{account});
    CHECK(homes.foreign == 0);
}

TEST_CASE("for root everyone's home is a home, but not that of a service") {
    const scratch::Directory directory;
    const std::string person = directory.make("person");
    const std::string passwd =
        "root:x:0:0:root:/root:/bin/bash\nwww:x:33:33::" + directory.make("www") +
        ":/bin/false\nperson:x:1000:1000::" + person + ":/bin/sh";
    const launch::Homes homes = launch::find_homes({}, passwd, 0);
    CHECK(homes.all == Paths{"/root", person});
    CHECK(homes.foreign == 1);
}

TEST_CASE("a home that is the root directory, relative or absent does not count") {
    const std::string passwd =
        "me:x:1500:1500::/sbxsh-absent:/bin/sh\nme:x:99999999999:0::/tmp:/bin/sh\n";
    CHECK(launch::find_homes({"HOME=/"}, passwd, 1500).all == Paths{"/nonexistent"});
    CHECK(launch::find_homes({"HOME=."}, "me:x:1500:1500::/:/bin/sh\n", 1500).all ==
          Paths{"/nonexistent"});
}
