// Our own options.
#include "launch/options.h"

#include <array>
#include <charconv>
#include <optional>

namespace launch {
namespace {

using core::Error;
using core::fail;
using core::Result;

constexpr std::string_view prefix = "--sbx-";
constexpr std::string_view see_help = "see sbxsh --sbx-help for the options";
constexpr std::array<std::string_view, 4> diagnostics_names = {"text", "line", "json", "off"};
constexpr int largest_descriptor = 1 << 20;

Result<void> bad_value(std::string_view origin, std::string_view value, std::string remedy) {
    return fail(Error{"use the value", std::string(origin), 0,
                      "'" + std::string(value) + "' is not possible here", std::move(remedy)});
}

template <std::string Options::*member>
Result<void> set_text(Options& options, std::string_view value, std::string_view origin) {
    if (value.empty()) return bad_value(origin, value, "give a value, or leave the option out");
    options.*member = value;
    return {};
}

template <bool Options::*member>
Result<void> set_flag(Options& options, std::string_view, std::string_view) {
    options.*member = true;
    return {};
}

Result<void> set_diagnostics(Options& options, std::string_view value, std::string_view origin) {
    options.diagnostics = diagnostics_named(value);
    if (!options.diagnostics) return bad_value(origin, value, "use one of text, line, json, off");
    return {};
}

Result<void> set_descriptor(Options& options, std::string_view value, std::string_view origin) {
    int number = -1;
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure != std::errc() || end != value.data() + value.size() || number < 0 ||
        number > largest_descriptor) {
        return bad_value(origin, value, "use the number of an open descriptor, such as 3");
    }
    options.diagnostics_descriptor = number;
    return {};
}

constexpr OptionRow rows[] = {
    {"--sbx-policy", "SBXSH_POLICY", "FILE",
     "Add the rules of this policy file for this invocation", set_text<&Options::policy>},
    {"--sbx-workspace", "SBXSH_WORKSPACE", "DIR",
     "Take this directory as the workspace, instead of the git repository around the current one",
     set_text<&Options::workspace>},
    {"--sbx-interpreter", "SBXSH_INTERPRETER", "NAME|PATH",
     "Run this shell, instead of the one that our own name asks for (bash)",
     set_text<&Options::interpreter>},
    {"--sbx-diagnostics", "SBXSH_DIAGNOSTICS", "text|line|json|off",
     "How refusals are told on standard error: an annotated text, a line each, JSON, or not at all",
     set_diagnostics},
    {"--sbx-diagnostics-fd", "SBXSH_DIAGNOSTICS_FD", "N",
     "Write JSON diagnostics to this descriptor", set_descriptor},
    {"--sbx-help", "", "", "Show this help", set_flag<&Options::help>},
    {"--sbx-version", "", "", "Show the version", set_flag<&Options::version>},
};

const OptionRow* find_row(std::string_view name) {
    for (const OptionRow& row : rows) {
        if (row.name == name) return &row;
    }
    return nullptr;
}

Result<void> read_variables(Options& options, const Environment& environment) {
    for (const OptionRow& row : rows) {
        if (row.variable.empty()) continue;
        const auto value = find_nonempty(environment, row.variable);
        if (!value) continue;
        if (auto applied = row.apply(options, *value, row.variable); !applied) return applied;
    }
    return {};
}

/// Applies the option at argv[index], and moves `index` past it and its value.
Result<void> read_option(Options& options, const std::vector<std::string>& argv,
                         std::size_t& index) {
    const std::string_view argument = argv[index++];
    const auto equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const OptionRow* row = find_row(name);
    if (!row)
        return fail(Error{"use option", std::string(name), 0, "there is no such option",
                          std::string(see_help)});
    std::string_view value;
    if (row->argument.empty()) {
        if (equals != std::string_view::npos) {
            return fail(Error{"use option", std::string(name), 0, "it takes no value",
                              std::string(see_help)});
        }
    } else if (equals != std::string_view::npos) {
        value = argument.substr(equals + 1);
    } else if (index < argv.size()) {
        value = argv[index++];
    } else {
        return fail(Error{"use option", std::string(name), 0,
                          "it needs a value: " + std::string(row->argument),
                          std::string(see_help)});
    }
    return row->apply(options, value, row->name);
}

}  // namespace

std::string_view name(Diagnostics diagnostics) {
    return diagnostics_names[static_cast<std::size_t>(diagnostics)];
}

std::optional<Diagnostics> diagnostics_named(std::string_view name) {
    for (std::size_t i = 0; i < diagnostics_names.size(); ++i) {
        if (name == diagnostics_names[i]) return static_cast<Diagnostics>(i);
    }
    return std::nullopt;
}

std::span<const OptionRow> option_rows() {
    return rows;
}

Result<Options> parse_options(const std::vector<std::string>& argv, const Environment& environment,
                              std::size_t& first_foreign) {
    Options options;
    if (auto read = read_variables(options, environment); !read) return fail(read.error());
    std::size_t index = 1;
    while (index < argv.size() && argv[index].starts_with(prefix)) {
        if (auto read = read_option(options, argv, index); !read) return fail(read.error());
    }
    first_foreign = index;
    return options;
}

std::string help_text() {
    std::string text =
        "Usage: sbxsh [--sbx-OPTION]... [SHELL OPTION]... [-c COMMAND | SCRIPT] [ARGUMENT]...\n"
        "Runs a shell (bash by default) in a sandbox, and explains what the sandbox refuses.\n"
        "\n"
        "Own options stand first; everything from the first other argument on goes to the shell.\n";
    for (const OptionRow& row : rows) {
        text += "  ";
        text += row.name;
        if (!row.argument.empty()) (text += ' ') += row.argument;
        if (!row.variable.empty()) ((text += " (") += row.variable) += ')';
        ((text += "\n      ") += row.help) += ".\n";
    }
    return text +=
           "\n"
           "Called as bash, sh, dash or zsh, that shell is run.\n"
           "Status: the command's own; 125 when the sandbox could not be set up, and then nothing "
           "ran.\n"
           "See also: sbxctl --help, sbxsh(1), sbxsh-policy(5).\n";
}

}  // namespace launch
