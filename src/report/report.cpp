// The parts that all renderings share, and the choice between them.
#include "report/report.h"

#include <fmt/format.h>

#include <array>

#include "report/renderers.h"
#include "report/sanitise.h"

namespace report {

namespace {

constexpr std::size_t max_shown = 5;
constexpr std::size_t max_shown_json = 50;

}  // namespace

std::optional<Format> format_by_name(std::string_view name) {
    if (name == "text") return Format::text;
    if (name == "line") return Format::line;
    if (name == "json") return Format::json;
    if (name == "off") return Format::off;
    return std::nullopt;
}

std::string headline(const Denial& denial) {
    return fmt::format("{}: {} {}", denial.likely ? "likely blocked" : "blocked",
                       sanitise(denial.operation, 60), sanitise(denial.object));
}

std::string process_name(const Process& process) {
    std::string_view name =
        process.argv.empty() || process.argv[0].empty() ? process.program : process.argv[0];
    name = name.substr(name.rfind('/') + 1);
    return name.empty() ? "a process" : sanitise(name, 40);
}

std::string repetition_note(unsigned count) {
    static constexpr std::array<std::string_view, 9> ordinals{
        "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"};
    if (count < 2) return {};
    const std::string ordinal = count - 2 < ordinals.size()
                                    ? std::string(ordinals[count - 2])
                                    : fmt::format("{}{}", count,
                                                  count / 10 % 10 == 1 ? "th"
                                                  : count % 10 == 1    ? "st"
                                                  : count % 10 == 2    ? "nd"
                                                  : count % 10 == 3    ? "rd"
                                                                       : "th");
    return ordinal + " time with unchanged permissions: it will not succeed by repeating";
}

std::string render(Format format, const std::vector<Denial>& denials, unsigned long dropped,
                   const Context& context) {
    if (format == Format::off || (denials.empty() && context.notes.empty())) return {};
    const CommandLine line(denials.empty() ? std::string_view() : context.command, context.cwd);
    const Selection selection = select(denials, dropped, context, line,
                                       format == Format::json ? max_shown_json : max_shown);
    if (format == Format::json) return render_json(selection, context, line);
    return format == Format::line ? render_line(selection, context, line)
                                  : render_text(selection, context, line);
}

}  // namespace report
