// Our own options: a table, from which the parser, the help and the manual page's check are made.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "launch/environment.h"

namespace launch {

/// How refusals are told.
enum class Diagnostics { text, line, json, off };

/// The name used on the command line and in policies: "text".
std::string_view name(Diagnostics diagnostics);
std::optional<Diagnostics> diagnostics_named(std::string_view name);

/// What our own options and their environment variables say. Empty texts: not given.
struct Options {
    std::string policy;       ///< A policy file of this invocation.
    std::string workspace;    ///< The directory to take as workspace.
    std::string interpreter;  ///< Name or path of the real shell.
    std::optional<Diagnostics> diagnostics;
    int diagnostics_descriptor = -1;  ///< Where JSON diagnostics go; -1: not given.
    bool help = false;
    bool version = false;
};

/// One option as a person knows it.
struct OptionRow {
    std::string_view name;      ///< "--sbx-policy"
    std::string_view variable;  ///< "SBXSH_POLICY"; empty when it has none.
    std::string_view argument;  ///< "FILE"; empty when it takes none.
    std::string_view help;      ///< One sentence without its full stop.
    core::Result<void> (*apply)(Options&, std::string_view value, std::string_view origin);
};

/// All of them, in the order of the help.
std::span<const OptionRow> option_rows();

/// Reads the variables, then the arguments from argv[1] on that begin with "--sbx-" ("--sbx-x
/// VALUE" or "--sbx-x=VALUE"); of several the last counts, and an option counts before its
/// variable. `first_foreign` becomes the index of the first argument that is not ours. An Error
/// names the option or the variable, and has a remedy.
core::Result<Options> parse_options(const std::vector<std::string>& argv,
                                    const Environment& environment, std::size_t& first_foreign);

/// The text of `--sbx-help`, newline at its end.
std::string help_text();

}  // namespace launch
