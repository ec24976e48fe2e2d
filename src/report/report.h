// From the refusals of one command line to the text that its caller is shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/denial.h"

namespace report {

enum class Format {
    text,  ///< Several lines for each refusal, the command line annotated.
    line,  ///< One line for each refusal.
    json,  ///< One JSON object a line: docs/report.md.
    off,
};

/// The format called `name` ("text", "line", "json", "off"); nothing for other names.
std::optional<Format> format_by_name(std::string_view name);

/// Whether `elevate` can be used here.
enum class Elevation : bool { absent, available };

/// Whether a person types the commands.
enum class Session : bool { batch, interactive };

/// How often in a row the same command was refused the same thing, this time included.
struct Repetition {
    std::string rule;
    std::string object;
    unsigned count = 1;
};

/// What is known of the command line beside its refusals.
struct Context {
    std::string command;  ///< The operand of -c; empty for a script file or an interactive shell.
    std::string cwd;      ///< Where it started; may be empty.
    Session session = Session::batch;
    Elevation elevation = Elevation::absent;
    std::string policy_file;  ///< Where the user's own rules go, for help; empty:
                              ///< "~/.config/sbxsh/policy.toml".
    std::vector<Repetition> repetitions;
    std::vector<std::string> notes;  ///< Remarks about the sandbox itself; each is said always.
    int wait_status = 0;             ///< Of the interpreter, as from waitpid(2).
};

/// The whole text to print, with its final newline; empty when there is nothing to say. A refusal
/// is told when the refused process or one between it and the command line failed, when the command
/// line failed, or when it was the shell's own redirection; once for each rule and object, the most
/// relevant first, a bounded number of them. `dropped` is how many refusals were not recorded.
/// Everything from outside is sanitised.
std::string render(Format format, const std::vector<Denial>& denials, unsigned long dropped,
                   const Context& context);

}  // namespace report
