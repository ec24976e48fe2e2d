// Reports, errors and the audit record of one command.
#include "front/speech.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "audit/event.h"
#include "audit/log.h"
#include "audit/repetition.h"
#include "report/report.h"
#include "report/sanitise.h"

namespace front {
namespace {

constexpr std::size_t message_columns = 1000;

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

audit::Session session_of(const launch::Prepared& prepared) {
    audit::Session session;
    session.pid = ::getpid();
    session.user = ::getuid();
    session.current = prepared.current;
    session.workspace = prepared.plan.policy.workspace();
    session.command = prepared.use.input == launch::ShellUse::Input::command ? prepared.use.command
                                                                             : prepared.use.script;
    session.fingerprint = prepared.plan.fingerprint;
    return session;
}

/// The log as the broker's threads share it.
struct SharedLog {
    explicit SharedLog(const launch::Prepared& prepared)
        : session(session_of(prepared)), log(prepared.plan.state) {}
    void append(const report::Denial& denial) {
        const std::scoped_lock hold(lock);
        // The front says it when the log cannot be written.
        static_cast<void>(
            log.append(audit::refusal_record(session, denial, audit::now())).has_value());
    }
    audit::Session session;
    std::mutex lock;
    audit::Log log;
};

report::Format format_of(launch::Diagnostics diagnostics) {
    if (diagnostics == launch::Diagnostics::json) return report::Format::json;
    return diagnostics == launch::Diagnostics::line ? report::Format::line : report::Format::text;
}

std::string error_text(const core::Error& error) {
    core::Error clean = error;
    for (std::string* text : {&clean.operation, &clean.object, &clean.detail, &clean.remedy})
        *text = report::sanitise(*text, message_columns);
    std::string text = "sbxsh: " + clean.message() + "\n";
    if (!clean.remedy.empty()) text += "  = help: " + clean.remedy + "\n";
    return text;
}

}  // namespace

launch::Environment environment() {
    launch::Environment result;
    for (char** entry = environ; *entry != nullptr; ++entry) result.emplace_back(*entry);
    return result;
}

std::string version_text() {
    return "sbxsh " SBXSH_VERSION "\n";
}

int print(const std::string& text) {
    write_all(STDOUT_FILENO, text);
    return 0;
}

void say(const std::string& text) {
    write_all(STDERR_FILENO, text);
}

int quit(const core::Error& error) {
    say(error_text(error));
    return 125;
}

Account::Account(launch::Prepared& prepared) : prepared_(prepared), began_(audit::now()) {
    if (prepared.diagnostics_descriptor >= 0)
        prepared.plan.keep.push_back(prepared.diagnostics_descriptor);
    if (prepared.plan.state.empty()) return;
    auto log = std::make_shared<SharedLog>(prepared);
    prepared.plan.on_denial = [log](const report::Denial& denial) { log->append(denial); };
}

void Account::tell(const launch::Outcome& outcome) {
    if (outcome.denials.empty() && outcome.notes.empty()) return;
    report::Context context;
    context.command = prepared_.use.command;
    context.cwd = prepared_.current;
    const bool typed =
        prepared_.use.input == launch::ShellUse::Input::standard_input && ::isatty(STDIN_FILENO);
    if (prepared_.use.interactive || typed) context.session = report::Session::interactive;
    context.wait_status = outcome.wait_status;
    if (!prepared_.plan.state.empty()) context.repetitions = repetitions(outcome);
    const auto render = [&](report::Format format) {
        return report::render(format, outcome.denials, outcome.dropped_denials, context);
    };
    // The descriptor is for programs; what a person reads does not depend on it.
    const bool apart = prepared_.diagnostics_descriptor >= 0;
    if (apart) write_all(prepared_.diagnostics_descriptor, render(report::Format::json));
    const launch::Diagnostics mode = prepared_.diagnostics;
    if (mode == launch::Diagnostics::off || (apart && mode == launch::Diagnostics::json)) return;
    const bool refused = !render(format_of(mode)).empty();
    context.notes = outcome.notes;
    if (refused && mode == launch::Diagnostics::text)
        context.notes.insert(context.notes.end(), prepared_.remarks.begin(),
                             prepared_.remarks.end());
    say(render(format_of(mode)));
}

std::vector<report::Repetition> Account::repetitions(const launch::Outcome& outcome) const {
    const audit::Session session = session_of(prepared_);
    std::vector<report::Repetition> result;
    for (const report::Denial& denial : outcome.denials) {
        const std::string key = audit::refusal_key(session, denial);
        result.push_back(
            {denial.rule, denial.object, audit::count_commands_refused(prepared_.plan.state, key)});
    }
    return result;
}

void Account::record(const launch::Outcome& outcome) {
    if (prepared_.state_problem) say(error_text(*prepared_.state_problem));
    if (prepared_.plan.state.empty()) return;
    audit::Ending ending;
    ending.began = began_;
    ending.duration = audit::now() - began_;
    ending.wait_status = outcome.wait_status;
    ending.refusals = outcome.denials.size() + outcome.dropped_denials;
    audit::Log log(prepared_.plan.state);
    if (auto appended = log.append(audit::command_record(session_of(prepared_), ending)); !appended)
        say(error_text(appended.error()));
}

}  // namespace front
