// Opening devices: those that the floor grants, terminals, and what may wait.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/open_request.h"
#include "linux/floor.h"

namespace linux_backend {
namespace {

Answer open_terminal_maker(const Call& call, const OpenRequest& request, const Target& target) {
    os::Fd master(::open(descriptor_link(target.object).c_str(), request.reopen_flags()));
    if (!master) return Answer::error(errno);
    call.broker().terminals().add_other_end(master);
    return Answer::descriptor(std::move(master), request.has(O_CLOEXEC));
}

/// /dev/tty: the terminal of the caller's session, which is not always that of ours.
Answer open_controlling_terminal(const Call& call, const OpenRequest& request,
                                 const Target& target) {
    const pid_t process = call.caller().process();
    if (::getsid(process) == ::getsid(0)) return reopen(request, target.object);
    ProcessStat stat;
    if (!read_process_stat(process, stat) || stat.terminal == 0) return Answer::error(ENXIO);
    const os::Fd own = call.broker().terminals().find(stat.terminal);
    if (!own) return Answer::error(ENXIO);
    return reopen(request, own);
}

}  // namespace

Answer open_waiting(const Call& call, const OpenRequest& request, os::Fd object, mode_t mode) {
    const bool is_own_peer = S_ISFIFO(mode) && (request.flags & O_ACCMODE) == O_RDWR;
    if (request.has(O_NONBLOCK) || is_own_peer) return reopen(request, object);
    auto held = std::make_shared<os::Fd>(std::move(object));
    return call.on_own_thread([request, held] { return reopen(request, *held); });
}

Answer open_device(const Call& call, const OpenRequest& request, Target target) {
    const dev_t device = target.status.st_rdev;
    if (device == makedev(5, 2)) return open_terminal_maker(call, request, target);
    const Terminals::Origin origin = call.broker().terminals().of(target.object);
    const bool floor_grants =
        is_floor_device(target.path) || origin == Terminals::Origin::inherited;
    // SAFETY: the floor grants these devices to everybody, and nothing that a swapped path could
    // name. Opened by the caller, a terminal can become its controlling one.
    if (floor_grants && may_proceed(call)) return Answer::proceed();
    if (device == makedev(5, 0)) return open_controlling_terminal(call, request, target);
    if (floor_grants || origin == Terminals::Origin::inside) return reopen(request, target.object);
    return open_waiting(call, request, std::move(target.object), target.status.st_mode);
}

}  // namespace linux_backend
