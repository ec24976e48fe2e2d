// Signals to the group and to the front alone.
#include "linux/witness.h"

#include <doctest/doctest.h>
#include <signal.h>

using linux_backend::Sightings;

namespace {

const Sightings::Time start{};

}  // namespace

TEST_CASE("a signal that the witness saw is claimed once") {
    Sightings sightings;
    CHECK(!sightings.claim(SIGTERM));
    sightings.add(SIGTERM, start);
    CHECK(!sightings.claim(SIGINT));
    CHECK(sightings.claim(SIGTERM));
    CHECK(!sightings.claim(SIGTERM));
}

TEST_CASE("what is left of a signal that was claimed does not hide a later one") {
    Sightings sightings;
    sightings.add(SIGTERM, start);
    sightings.add(SIGTERM, start);
    CHECK(sightings.claim(SIGTERM));
    sightings.end_turn(start);
    CHECK(!sightings.claim(SIGTERM));
}

TEST_CASE("queued signals are claimed one by one, over several turns") {
    Sightings sightings;
    sightings.add(SIGRTMIN, start);
    sightings.add(SIGRTMIN, start);
    CHECK(sightings.claim(SIGRTMIN));
    sightings.end_turn(start);
    CHECK(sightings.claim(SIGRTMIN));
    CHECK(!sightings.claim(SIGRTMIN));
}

TEST_CASE("a sighting waits for the front's own signal, but not for ever") {
    Sightings sightings;
    sightings.add(SIGTERM, start);
    sightings.end_turn(start + std::chrono::milliseconds(1));
    CHECK(sightings.claim(SIGTERM));
    sightings.add(SIGHUP, start);
    sightings.end_turn(start + std::chrono::seconds(2));
    CHECK(!sightings.claim(SIGHUP));
}
