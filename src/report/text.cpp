// Reports for people: annotated text, and one line for each refusal.
#include <fmt/format.h>

#include <algorithm>

#include "report/excerpt.h"
#include "report/remedy.h"
#include "report/renderers.h"
#include "report/sanitise.h"

namespace report {

namespace {

constexpr std::size_t max_ancestors = 4;

std::string notes(const Context& context) {
    std::string out;
    for (const std::string& note : context.notes)
        out += "sbxsh: note: " + sanitise(note, 300) + "\n";
    return out;
}

std::string more(const Selection& selection) {
    return selection.more == 0 ? ""
                               : fmt::format("sbxsh: … and {} more (sbxctl log)\n", selection.more);
}

/// Who did it, where the marked part of the command line does not say it.
std::string by(const Item& item) {
    const Denial& denial = *item.denial;
    if (item.location.kind != Location::Kind::none && (denial.by_shell || denial.between.empty()))
        return {};
    if (denial.by_shell) return "  = by: the shell itself\n";
    if (denial.process.pid == 0) return {};
    std::string out =
        fmt::format("  = by: {} (pid {})", process_name(denial.process), denial.process.pid);
    std::size_t shown = 0;
    for (const Process& ancestor : denial.between) {
        if (shown == max_ancestors) {
            out += ", …";
            break;
        }
        out += (shown++ == 0 ? ", started by " : ", ") + process_name(ancestor);
    }
    return out + "\n";
}

/// TOML to be copied, set off from the report. It has no raw bytes from outside: toml_string
/// escapes them.
std::string indented(std::string_view lines) {
    std::string out;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        out += "          " + std::string(lines.substr(0, end)) + "\n";
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return out;
}

std::string help(const Item& item, const Context& context, const CommandLine& line) {
    const Remedy what = remedy(item, context, line);
    if (what.kind == Remedy::Kind::elevate)
        return "  = help: to ask for it: " + what.command + "\n";
    std::string out;
    if (what.kind == Remedy::Kind::policy) {
        out = "  = help: to allow it, add to " + sanitise(what.file) + ":\n";
        out += indented(what.rule);
    }
    if (what.kind == Remedy::Kind::change) {
        out = "  = help: to allow it, change what refuses it: " + sanitise(what.place) + "\n";
    }
    if (!what.explain.empty()) out += "  = help: for the whole decision: " + what.explain + "\n";
    return out;
}

std::string rule(const Denial& denial) {
    std::string out = "  = rule: " + sanitise(denial.rule, 100);
    if (!denial.origin.empty()) out += " (" + sanitise(denial.origin) + ")";
    if (!denial.reason.empty()) out += ": " + sanitise(denial.reason, 400);
    out += "\n";
    if (!denial.detail.empty()) out += "  = detail: " + sanitise(denial.detail) + "\n";
    return out;
}

std::string one(const Item& item, const Context& context, const CommandLine& line) {
    const Denial& denial = *item.denial;
    const Location& location = item.location;
    std::string out = "sbxsh: " + headline(denial) + "\n";
    if (location.kind != Location::Kind::none) {
        const bool redirection = location.kind == Location::Kind::redirection;
        out += excerpt(line.text, location.span, redirection ? "this redirection" : "this command");
    }
    out += by(item);
    out += rule(denial);
    if (denial.likely)
        out += "  = note: inferred from the arguments of a program that failed, not seen\n";
    if (!denial.note.empty()) out += "  = note: " + sanitise(denial.note, 400) + "\n";
    if (item.repetition > 1) out += "  = note: " + repetition_note(item.repetition) + "\n";
    return out + help(item, context, line);
}

}  // namespace

std::string render_text(const Selection& selection, const Context& context,
                        const CommandLine& line) {
    std::string out = notes(context);
    for (const Item& item : selection.items) out += one(item, context, line);
    return out + more(selection);
}

std::string render_line(const Selection& selection, const Context& context, const CommandLine&) {
    std::string out = notes(context);
    for (const Item& item : selection.items) {
        const Denial& denial = *item.denial;
        out += fmt::format("sbxsh: {} [{}]", headline(denial), sanitise(denial.rule, 100));
        if (denial.by_shell) out += " by the shell";
        if (!denial.by_shell && denial.process.pid != 0) {
            out += fmt::format(" by {} ({})", process_name(denial.process), denial.process.pid);
        }
        if (item.repetition > 1) out += "; " + repetition_note(item.repetition);
        out += "\n";
    }
    return out + more(selection);
}

}  // namespace report
