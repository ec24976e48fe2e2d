// sbxctl: tells what the policy says, what holds here, what this machine can enforce, and what was
// refused.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ctl/commands.h"
#include "ctl/speech.h"
#include "ctl/verify/attempt.h"

namespace ctl {
namespace {

constexpr CommandRow rows[] = {
    {"explain", "ACCESS OBJECT | -- COMMAND LINE",
     "Show the decision on one access, or on each one a command line makes plain, and why",
     explain},
    {"describe", "", "Show what holds in this directory, as a text for a person or an agent",
     describe},
    {"doctor", "[--verify [--sbxsh PATH]]",
     "Show what this machine can enforce, and what is wrong with the set-up; or try on this "
     "machine "
     "what the\n      sandbox promises, and show what held",
     doctor},
    {"log", "[-n N] [--denied]", "Show the newest records of the audit log, or only the refusals",
     log},
};

std::string help_text() {
    std::string text = "Usage: sbxctl [--sbx-OPTION]... COMMAND [--json] [ARGUMENT]...\n\n";
    for (const CommandRow& row : rows) {
        (text += "  ") += row.name;
        if (!row.arguments.empty()) (text += ' ') += row.arguments;
        ((text += "\n      ") += row.help) += ".\n";
    }
    return text +=
           "\n"
           "  --help, --version\n"
           "  --json\n"
           "      Print JSON instead of text.\n"
           "\n"
           "ACCESS is read, write, execute, connect, bind, unix-connect, unix-bind, signal, "
           "inspect, ipc or kernel. OBJECT is a\n"
           "path, ADDRESS:PORT[/udp], a socket's path or @NAME; the last four accesses take none. "
           "Words "
           "such as list, delete\nor exec stand for the access that they need.\n"
           "The options --sbx-policy and --sbx-workspace of sbxsh, and its variables, count here "
           "too.\n";
}

}  // namespace

std::span<const CommandRow> command_rows() {
    return rows;
}

bool take_flag(std::vector<std::string>& arguments, std::string_view flag) {
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    const auto found = std::find(arguments.begin(), end, flag);
    if (found == end) return false;
    arguments.erase(found);
    return true;
}

}  // namespace ctl

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv, argv + argc);
    if (arguments.size() > 1 && arguments[1] == ctl::verify::attempt_command)
        return ctl::verify::attempt({arguments.begin() + 2, arguments.end()});
    launch::Environment environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);

    std::size_t first = 1;
    const auto options = launch::parse_options(arguments, environment, first);
    if (!options) return ctl::quit(options.error());
    const std::string name = first < arguments.size() ? arguments[first] : "";
    if (name == "--help" || name == "help" || options->help) return ctl::print(ctl::help_text());
    if (name == "--version" || options->version) return ctl::print("sbxctl " SBXSH_VERSION "\n");
    if (name.empty()) return ctl::misuse("no command was given");
    for (const ctl::CommandRow& row : ctl::command_rows()) {
        if (row.name != name) continue;
        const auto rest = arguments.begin() + static_cast<std::ptrdiff_t>(first) + 1;
        return row.run({{rest, arguments.end()}, *options, environment});
    }
    return ctl::misuse("there is no command '" + name + "'");
}
