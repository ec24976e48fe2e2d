// Denials for the tests of reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/denial.h"

namespace report {

inline Denial write_denial(std::string object = "/etc/hosts") {
    Denial denial;
    denial.sequence = 1;
    denial.access = "write";
    denial.operation = "write to";
    denial.grant = {"--write", object};
    denial.object = std::move(object);
    denial.call = "openat";
    denial.error = 13;
    denial.rule = "fs.write.outside-workspace";
    denial.origin = "built in";
    denial.reason = "only /home/u/app, /tmp and tool caches are writable";
    denial.process = {41, "/usr/bin/bash", {"bash"}};
    return denial;
}

inline Denial by_shell(Denial denial) {
    denial.by_shell = true;
    return denial;
}

inline Denial by(Denial denial, std::string program, std::vector<std::string> argv,
                 std::vector<Process> between = {}) {
    denial.process = {42, std::move(program), std::move(argv)};
    denial.between = std::move(between);
    denial.failed = true;
    return denial;
}

}  // namespace report
