// What the audit log records: commands and refusals, each as one line of JSON.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "report/denial.h"

namespace audit {

/// No record is longer, its newline included, so that one write(2) appends it whole.
inline constexpr std::size_t largest_record = 4096;

/// What a command and its refusals have in common.
struct Session {
    pid_t pid = 0;  ///< Of the sbxsh that ran it.
    uid_t user = 0;
    std::string current;    ///< Directory; empty when it could not be found.
    std::string workspace;  ///< Empty when there was none.
    std::string
        command;  ///< The text of -c, or how the script was called; empty for standard input.
    std::string fingerprint;  ///< Of the policy: launch::Plan::fingerprint.
};

/// How a command ended.
struct Ending {
    std::int64_t began = 0;     ///< Nanoseconds since the epoch.
    std::int64_t duration = 0;  ///< Nanoseconds.
    int wait_status = 0;        ///< As from waitpid(2).
    std::size_t refusals = 0;
};

/// {"event":"command","time":…,"pid":…,"user":…,"status":… or
/// "signal":…,"duration_ms":…,"refusals":…,"cwd":…,"workspace":…,"command":…}
std::string command_record(const Session& session, const Ending& ending);

/// {"event":"refusal","time":…,"key":…,"access":…,"operation":…,"object":…,"call":…,"error":…,"rule":…,"origin":…,"program":…,
/// …} `time` is in nanoseconds since the epoch.
std::string refusal_record(const Session& session, const report::Denial& denial, std::int64_t time);

/// 16 hex digits that are the same for the same command, rule, object and policy in the same
/// workspace.
std::string refusal_key(const Session& session, const report::Denial& denial);

/// CLOCK_REALTIME in nanoseconds.
std::int64_t now();

}  // namespace audit
