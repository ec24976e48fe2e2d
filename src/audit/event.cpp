// What the audit log records.
#include "audit/event.h"

#include <sys/wait.h>

#include <ctime>

#include "audit/line.h"
#include "core/fingerprint.h"

namespace audit {
namespace {

// Limits of the texts in a record; with names, numbers and punctuation they stay below
// largest_record.
constexpr std::size_t command_limit = 1000;
constexpr std::size_t path_limit = 512;
constexpr std::size_t object_limit = 512;
constexpr std::size_t short_limit = 120;
constexpr std::size_t arguments_limit = 400;

constexpr std::int64_t nanoseconds_per_millisecond = 1'000'000;

Line begin(std::string_view event, const Session& session, std::int64_t time) {
    Line line;
    line.field("event", event, short_limit).field("time", utc_text(time), short_limit);
    line.field("pid", session.pid).field("user", session.user);
    return line;
}

void add_session(Line& line, const Session& session) {
    line.field("cwd", session.current, path_limit)
        .field("workspace", session.workspace, path_limit);
    line.field("command", session.command, command_limit);
}

}  // namespace

std::string command_record(const Session& session, const Ending& ending) {
    Line line = begin("command", session, ending.began);
    if (WIFSIGNALED(ending.wait_status)) {
        line.field("signal", WTERMSIG(ending.wait_status));
    } else {
        line.field("status", WEXITSTATUS(ending.wait_status));
    }
    line.field("duration_ms", ending.duration / nanoseconds_per_millisecond);
    line.field("refusals", static_cast<std::int64_t>(ending.refusals));
    add_session(line, session);
    return line.take();
}

std::string refusal_record(const Session& session, const report::Denial& denial,
                           std::int64_t time) {
    Line line = begin("refusal", session, time);
    line.field("key", refusal_key(session, denial), short_limit);
    line.field("access", denial.access, short_limit)
        .field("operation", denial.operation, short_limit);
    line.field("object", denial.object, object_limit).field("call", denial.call, short_limit);
    line.field("error", denial.error).field("rule", denial.rule, short_limit);
    line.field("origin", denial.origin, short_limit);
    if (!denial.detail.empty()) line.field("detail", denial.detail, short_limit);
    if (denial.likely) line.field("likely", 1);
    line.field("process", denial.process.pid).field("program", denial.process.program, short_limit);
    line.field("argv", denial.process.argv, arguments_limit);
    add_session(line, session);
    return line.take();
}

std::string refusal_key(const Session& session, const report::Denial& denial) {
    core::Fingerprint print;
    for (const std::string* text : {&session.workspace, &session.command, &session.fingerprint,
                                    &denial.rule, &denial.access, &denial.object}) {
        print.add(*text);
    }
    return print.text();
}

std::int64_t now() {
    timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace audit
