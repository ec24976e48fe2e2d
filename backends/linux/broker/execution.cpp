// Calls that continue as they are, and that the broker only wants to know of: exec, exit, umask,
// changes of identity.
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/guess.h"
#include "linux/broker/handlers.h"
#include "linux/broker/resolve.h"

namespace linux_backend {
namespace {

Answer see_execution(const Call& call, int directory, int path_index, bool empty_path,
                     FinalLink link) {
    const auto path = call.path_argument(path_index);
    if (path && !(empty_path && path->empty())) {
        const auto target = resolve_object(call, directory, *path, link);
        if (target && target->where == Target::Where::tree && call.valid())
            if (auto refusal =
                    call.refused(policy::Access::execute, target->path, target->id(), "run"))
                return std::move(*refusal);
    }
    // SAFETY: the floor lets only readable trees be executed, and the new program stays under floor
    // and filter.
    return Answer::proceed();
}

}  // namespace

Answer serve_execve(const Call& call) {
    return see_execution(call, AT_FDCWD, 0, false, FinalLink::follow);
}

Answer serve_execveat(const Call& call) {
    const int flags = call.int_argument(4);
    return see_execution(call, call.int_argument(0), 1, (flags & AT_EMPTY_PATH) != 0,
                         (flags & AT_SYMLINK_NOFOLLOW) != 0 ? FinalLink::keep : FinalLink::follow);
}

Answer serve_exit_group(const Call& call) {
    const pid_t process = call.caller().process();
    if (process != 0) {
        guess_refusal(call, process);
        call.broker().denials().process_failed(process);
    }
    // SAFETY: a process that ends touches nothing outside.
    return Answer::proceed();
}

Answer serve_umask(const Call& call) {
    if ((call.argument(0) & 0777) != call.broker().start().umask) call.broker().umask_varies = true;
    // SAFETY: a register value that only concerns files which the broker creates with it.
    return Answer::proceed();
}

Answer serve_change_identity(const Call& call) {
    call.broker().identity_varies = true;
    // SAFETY: no_new_privs and the dropped capabilities bound what a process can become.
    return Answer::proceed();
}

}  // namespace linux_backend
