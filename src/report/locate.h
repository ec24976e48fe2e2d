// Finds the part of the command line that a denial belongs to.
#pragma once

#include <string>
#include <string_view>

#include "command/outline.h"
#include "core/span.h"
#include "report/denial.h"

namespace report {

/// A part of a command line. Spans are in bytes of the command's text.
struct Location {
    enum class Kind { none, redirection, command };
    Kind kind = Kind::none;
    core::Span span;   ///< What to mark.
    core::Span rerun;  ///< The command to give again with more rights, its here-documents included;
                       ///< may be empty.
    bool program = false;  ///< `rerun` is a program with its arguments and nothing else.
};

/// A command line and what is known of it. The texts must outlive it.
struct CommandLine {
    std::string_view text;
    std::string_view cwd;  ///< Where it started; absolute, or empty when unknown.
    command::Outline outline;

    CommandLine(std::string_view command, std::string_view directory)
        : text(command), cwd(directory), outline(command::outline(command)) {}
};

/// The part of `line` that did it: for an act of the shell itself the redirection onto the object,
/// else the command whose name is that of the refused process, or of the ancestor of it that the
/// shell started. `Kind::none` where nothing fits.
Location locate(const CommandLine& line, const Denial& denial);

/// Whether `line` has a redirection fit for the denial's access whose target only the shell can
/// tell.
bool has_unknown_redirection(const CommandLine& line, const Denial& denial);

/// `path` made absolute against `cwd`, without `.`, `..` and double slashes, by its letters alone.
/// Empty when it is relative and `cwd` is empty.
std::string lexical(std::string_view path, std::string_view cwd);

}  // namespace report
