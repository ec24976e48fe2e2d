// The advisory reading of a shell's arguments, compared with what the shells really do.
#include "launch/shell_use.h"

#include <doctest/doctest.h>

#include <random>

#include "scratch.h"

using launch::read_shell_arguments;
using launch::ShellFamily;
using launch::ShellUse;
using Input = launch::ShellUse::Input;

namespace {

ShellUse read_bash(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bash");
    return read_shell_arguments(ShellFamily::bash, arguments);
}

/// What a probe prints when it is run from `source`: the source, $0, and the operands.
std::string probe(const std::string& source) {
    return "printf '%s\\n' " + source + " \"$0\" \"$@\"\n";
}

std::string expected_output(const ShellUse& use, const std::string& command_marker) {
    std::string output;
    switch (use.input) {
        case Input::command:
            output = use.command == probe(command_marker) ? command_marker : "?";
            break;
        case Input::script:
            output = "script";
            break;
        case Input::standard_input:
            output = "stdin";
            break;
        case Input::nothing:
            return "";
    }
    output += "\n" + use.zero + "\n";
    for (const std::string& operand : use.operands) output += operand + "\n";
    return output;
}

std::string described(const std::vector<std::string>& arguments) {
    std::string text;
    for (const std::string& argument : arguments) text += "[" + argument + "]";
    return text;
}

using Groups = std::vector<std::vector<std::string>>;

/// Runs a shell with random sequences of `groups` of words and compares what it took as command, $0
/// and operands with our reading.
void compare(ShellFamily family, const std::string& shell, const Groups& groups, unsigned rounds) {
    const scratch::Directory directory;
    const std::string script = directory.write("script", probe("script"));
    const std::string command = probe("command");
    std::mt19937 random(20251130);
    unsigned commands = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        std::vector<std::string> arguments = {shell};
        for (auto count = random() % 5; count > 0; --count) {
            const auto& group = groups[random() % groups.size()];
            arguments.insert(arguments.end(), group.begin(), group.end());
        }
        if (random() % 4 != 0) arguments.push_back(random() % 3 != 0 ? command : script);
        for (auto count = random() % 3; count > 0; --count)
            arguments.push_back(random() % 2 ? "operand" : "--");
        const ShellUse use = read_shell_arguments(family, arguments);
        // A script is one of our words by accident: then there is no such file, and nothing to
        // compare.
        if (use.input == Input::script && use.script != script) continue;
        if (use.input == Input::command && use.command != command) continue;
        commands += use.input == Input::command;
        INFO(described(arguments));
        // With -s beside -c, dash goes on with its standard input; give it none then.
        const std::string input = use.input == Input::standard_input ? probe("stdin") : "";
        const std::string output = scratch::run(arguments, input).output;
        if (use.input == Input::nothing) {
            // What it prints then (errors, help, a list of options) is its own.
            CHECK(output.find("command\n") == std::string::npos);
        } else {
            CHECK(output == expected_output(use, "command"));
        }
    }
    CHECK(commands > rounds / 10);
}

}  // namespace

TEST_CASE("bash takes the command, $0 and operands that we read from its arguments") {
    compare(ShellFamily::bash, "bash",
            {{"-c"},
             {"-c"},
             {"-c"},
             {"-lc"},
             {"-cu"},
             {"-euc"},
             {"-l"},
             {"-e"},
             {"+e"},
             {"+c"},
             {"-cl"},
             {"-eo", "pipefail"},
             {"+o", "posix"},
             {"-o", "errexit"},
             {"-O", "extglob"},
             {"+O", "dotglob"},
             {"-xO", "nullglob"},
             {"-Oco", "extglob", "posix"},
             {"--norc"},

             {"--login"},
             {"-login"},
             {"--posix"},
             {"--verbose"},
             {"--"},
             {"-"},
             {"-s"},
             {"-sc"},
             {"-p"},
             {"-abefhkmuvxBCEHPT"},
             {"-Q"},
             {"--nonsense"},
             {"--rcfile", "/dev/null"},
             {"-init-file", "-c"},
             {"-oo", "errexit", "nounset"}},
            600);
}

TEST_CASE("dash takes the command, $0 and operands that we read from its arguments") {
    compare(ShellFamily::posix, "dash",
            {{"-c"},
             {"-c"},
             {"-c"},
             {"-lc"},
             {"-cu"},
             {"-euc"},
             {"-l"},
             {"-e"},
             {"+e"},
             {"-eo", "nounset"},
             {"+o", "errexit"},
             {"-o", "errexit"},
             {"-O"},
             {"--"},
             {"-"},
             {"-s"},
             {"-sc"},
             {"-Q"},
             {"+c"},
             {"-cl"},
             {"-afuvxC"},
             {"-oo", "errexit", "nounset"},
             {"--norc"}},
            500);
}

TEST_CASE("zsh takes the command, $0 and operands that we read from its arguments") {
    if (access("/usr/bin/zsh", X_OK) != 0) {
        MESSAGE("zsh is not installed: not compared");
        return;
    }
    compare(ShellFamily::zsh, "zsh",
            {{"-c"},
             {"-c"},
             {"-lc"},
             {"-cu"},
             {"-euc"},
             {"-l"},
             {"-eo", "pipefail"},
             {"-o", "errexit"},
             {"-oerrexit"},
             {"--errexit"},
             {"--"},
             {"-"},
             {"-s"},
             {"-sc"},
             {"-cl"},
             {"-b"},
             {"+e"},
             {"-f"}},
            300);
}

TEST_CASE("the ways in which known programs start a shell are understood") {
    ShellUse use = read_bash({"-c", "-l", "source x"});
    CHECK(use.command == "source x");
    CHECK(use.zero == "bash");
    CHECK(use.login);

    use = read_bash({"-O", "extglob", "-c", "snap", "--", "git status"});
    CHECK(use.command == "snap");
    CHECK(use.zero == "--");
    CHECK(use.operands == std::vector<std::string>{"git status"});

    use = read_bash({"--norc", "--noprofile", "-eo", "pipefail", "-c", "true"});
    CHECK(use.command == "true");

    use = read_bash({"--init-file", "/x/init.sh", "-i"});
    CHECK(use.input == Input::standard_input);
    CHECK(use.interactive);

    use = read_bash({"-e", "/tmp/step.sh", "-c"});
    CHECK(use.input == Input::script);
    CHECK(use.script == "/tmp/step.sh");
    CHECK(use.operands == std::vector<std::string>{"-c"});

    use = read_shell_arguments(ShellFamily::bash, {"-bash", "-c", "id"});
    CHECK(use.login);
    CHECK(use.zero == "-bash");
}

TEST_CASE("a shell that will only print help or an error runs nothing") {
    CHECK(read_bash({"-c"}).input == Input::nothing);
    CHECK(read_bash({"--help"}).input == Input::nothing);
    CHECK(read_bash({"--rcfile"}).input == Input::nothing);
    CHECK(read_bash({"-Z", "-c", "true"}).input == Input::nothing);
    CHECK(read_shell_arguments(ShellFamily::bash, {}).input == Input::standard_input);
}
