// What a shell will do with its arguments: an advisory reading of them, for reports and the audit
// log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// Shells whose options we can read. Names we do not know are read as POSIX shells.
enum class ShellFamily { bash, posix, zsh };

ShellFamily shell_family(std::string_view name);

/// What a shell started with certain arguments takes its commands from. Advisory: the shell itself
/// gets its arguments byte for byte and has the last word.
struct ShellUse {
    enum class Input {
        command,         ///< The text after -c.
        script,          ///< A file.
        standard_input,  ///< Also an interactive shell.
        nothing,         ///< The shell will print help or an error about its options.
    };
    Input input = Input::standard_input;
    std::string command;                ///< The text of -c.
    std::string script;                 ///< The file as given.
    std::string zero;                   ///< $0.
    std::vector<std::string> operands;  ///< $1 and on.
    bool interactive =
        false;  ///< -i was given. Without it, input from a terminal also makes a shell interactive.
    bool login = false;  ///< -l or --login was given, or argv[0] begins with '-'.
};

/// Reads `arguments` (argv, [0] included) as bash 5.2, dash 0.5.12 and zsh 5.9 do at start.
ShellUse read_shell_arguments(ShellFamily family, const std::vector<std::string>& arguments);

}  // namespace launch
