// Times the parts of a start inside one process: finding and merging the policy, the floor, the
// filter.
#include <cstdio>
#include <ctime>
#include <string>

#include "launch/invocation.h"
#include "launch/prepare.h"
#include "linux/floor.h"
#include "linux/syscall_filter.h"
#include "os/tree.h"

namespace {

double microseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

int measure(const launch::Environment& environment) {
    const double begin = microseconds();
    const auto invocation = launch::parse_invocation({"sbxsh", "-c", "true"}, environment);
    if (!invocation) return 1;
    const auto prepared = launch::prepare(*invocation, environment);
    if (!prepared) return 1;
    const double planned = microseconds();
    const os::RealTree tree;
    const auto floor = linux_backend::build_floor(prepared->plan.policy, tree, {});
    if (!floor) return 1;
    const double floored = microseconds();
    const auto filter = linux_backend::build_filter({});
    const double filtered = microseconds();
    std::printf("prepare %.0f floor %.0f rules %zu filter %.0f\n", planned - begin,
                floored - planned, floor->rules, filtered - floored);
    return filter.empty() ? 1 : 0;
}

}  // namespace

/// Each run of the program is one measurement of a first call, in microseconds; with an operand,
/// that many are made in one process.
int main(int count, char** arguments) {
    launch::Environment environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
    const int repetitions = count > 1 ? std::stoi(arguments[1]) : 1;
    for (int i = 0; i < repetitions; ++i) {
        if (const int status = measure(environment); status != 0) return status;
    }
    return 0;
}
