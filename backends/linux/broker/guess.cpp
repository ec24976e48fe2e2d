// Likely refusals.
#include "linux/broker/guess.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/portrait.h"
#include "linux/broker/resolve.h"

namespace linux_backend {

void guess_refusal(const Call& call, pid_t process) {
    Broker& broker = call.broker();
    if (broker.observes_reads()) return;
    const report::Process who = portrait(process);
    for (std::size_t index = 1; index < who.argv.size(); ++index) {
        const std::string& argument = who.argv[index];
        if (argument.empty() || argument.front() == '-') continue;
        const auto target = resolve_object(call, AT_FDCWD, argument, FinalLink::follow);
        if (!target || target->where != Target::Where::tree) continue;
        const auto decision =
            broker.policy().decide(policy::Access::read, target->path, target->id(), broker.tree());
        if (decision.allowed() || broker.terminals().pass(decision, target->object) ||
            broker.denials().has(process, target->path))
            continue;
        call.refuse_likely(
            decision,
            Attempt{policy::Access::read, "read", target->path, {"--read", target->path}});
    }
}

}  // namespace linux_backend
