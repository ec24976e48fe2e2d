// Nested starts.
#include "front/nested.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "front/speech.h"
#include "launch/interpreter.h"

namespace front {

int run_nested(const launch::Invocation& invocation, const launch::Environment& environment) {
    if (!invocation.options.policy.empty())
        say("sbxsh: note: already inside a sandbox: its policy holds, " +
            invocation.options.policy + " is not read\n");
    std::string wanted = invocation.options.interpreter;
    if (wanted.empty()) wanted = invocation.shell_name.empty() ? "bash" : invocation.shell_name;
    const auto interpreter = launch::find_interpreter(wanted, environment);
    if (!interpreter) return quit(interpreter.error());
    std::vector<char*> arguments;
    for (const std::string& argument : invocation.arguments)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    ::execve(interpreter->c_str(), arguments.data(), environ);
    return quit(core::system_error("run", *interpreter));
}

}  // namespace front
