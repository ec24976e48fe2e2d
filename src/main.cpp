// sbxsh: from an invocation to a sandboxed command and a report of what was refused. Read top to
// bottom.
#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "front/ending.h"
#include "front/nested.h"
#include "front/speech.h"
#include "launch/invocation.h"
#include "launch/prepare.h"
#include "linux/sandbox.h"
#include "os/title.h"

int main(int argc, char** argv) {
    // Descriptors 0 to 2 are the command's, or closed for it too: nothing of ours may land there.
    front::reserve_standard_descriptors();
    const launch::Environment environment = front::environment();

    os::keep_title_space(argc, argv);
    const std::vector<std::string> arguments(argv, argv + argc);

    // Our own options, and what the interpreter will be asked to do. Nothing is re-quoted or
    // reordered.
    const auto invocation = launch::parse_invocation(arguments, environment);
    if (!invocation) return front::quit(invocation.error());
    if (invocation->options.help) return front::print(launch::help_text());
    if (invocation->options.version) return front::print(front::version_text());

    // From here on: inside a sandbox of ours its policy holds already, and the interpreter runs
    // under it at once.
    if (linux_backend::inside_sandbox()) return front::run_nested(*invocation, environment);

    // Policy, interpreter, environment, state directory: all that is decided before anything is
    // started.
    auto prepared = launch::prepare(*invocation, environment);
    if (!prepared) return front::quit(prepared.error());

    // From here on: everything is decided. The backend starts the command and waits for it.
    front::Account account(*prepared);
    linux_backend::LinuxSandbox sandbox;
    const auto outcome = sandbox.run(prepared->plan);
    if (!outcome) {
        sandbox.settle();
        return front::quit(outcome.error());
    }

    // From here on: the command has ended. Tell what was refused, record it, and end as it did.
    account.tell(*outcome);
    account.record(*outcome);
    sandbox.settle();
    return front::end_like(outcome->wait_status);
}
