// bind(2): internet sockets to loopback, unix sockets where the policy lets a file be made.
#include <fcntl.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/destination.h"
#include "linux/broker/git_gate.h"
#include "linux/broker/handlers.h"
#include "linux/broker/receivers.h"
#include "linux/broker/resolve.h"
#include "linux/broker/socket.h"

namespace linux_backend {
namespace {

int option(const CallerSocket& socket, int level, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return ::getsockopt(socket.fd.get(), level, name, &value, &size) == 0 ? value : 0;
}

bool receives_outside(const Call& call, const CallerSocket& socket,
                      const InternetAddress& address) {
    const auto outside = [&](const InternetAddress& at) {
        return receivers(call.broker().registry(), socket.transport(), at).outside;
    };
    if (!address.is_any()) return outside(address);
    return outside(InternetAddress::v4(INADDR_LOOPBACK, address.port)) ||
           outside(InternetAddress::v6_loopback(address.port));
}

/// Whether binding would share a port with a socket made outside, and so take over what is meant
/// for that one.
bool takes_over(const Call& call, const CallerSocket& socket, const InternetAddress& address) {
    if (address.port == 0) return false;
    if (option(socket, SOL_SOCKET, SO_REUSEPORT) == 0 &&
        option(socket, SOL_SOCKET, SO_REUSEADDR) == 0)
        return false;
    return receives_outside(call, socket, address);
}

Answer bind_unix_as_given(const Call& call, const CallerSocket& socket,
                          const SocketAddress& address) {
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    if (::bind(socket.fd.get(), address.get(), address.length) != 0) return Answer::error(errno);
    SocketAddress own;
    own.length = sizeof own.storage;
    if (::getsockname(socket.fd.get(), reinterpret_cast<sockaddr*>(&own.storage), &own.length) ==
        0) {
        const auto name = unix_name(own);
        if (name && name->kind == UnixName::Kind::abstract)
            call.broker().registry().add_abstract(name->text, socket_inode(socket));
    }
    return Answer::value(0);
}

/// Limits this thread, which must end soon, to making sockets below `directory`. False where the
/// kernel cannot.
bool confine_sockets_to(const os::Fd& directory) {
    const landlock_ruleset_attr handled = {LANDLOCK_ACCESS_FS_MAKE_SOCK};
    const os::Fd ruleset(
        static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
    const landlock_path_beneath_attr beneath = {LANDLOCK_ACCESS_FS_MAKE_SOCK, directory.get()};
    return ruleset &&
           ::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &beneath,
                     0) == 0 &&
           ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

/// Binds to exactly the caller's bytes, so that getsockname(2) and the peer see them. The kernel
/// resolves the path once more then, from the caller's working directory; if it leads elsewhere by
/// now, the kernel refuses to make the socket. 0 or an errno.
int bind_exactly(const CallerSocket& socket, const SocketAddress& address, const os::Fd& directory,
                 const Place& place) {
    int error = EACCES;
    try {
        std::thread([&] {
            if (::unshare(CLONE_FS) != 0 || ::fchdir(directory.get()) != 0) return;
            if (!confine_sockets_to(place.parent)) return;
            error = ::bind(socket.fd.get(), address.get(), address.length) == 0 ? 0 : errno;
        }).join();
    } catch (const std::system_error&) {
    }
    return error;
}

/// Binds by the descriptor of the directory: the name is right, its path in getsockname(2) is not
/// the caller's.
int bind_in(const CallerSocket& socket, const Place& place) {
    const std::string text = descriptor_link(place.parent) + "/" + place.name;
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (text.size() >= sizeof address.sun_path) return ENAMETOOLONG;
    std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size() + 1);
    return ::bind(socket.fd.get(), reinterpret_cast<const sockaddr*>(&address), length) == 0
               ? 0
               : errno;
}

std::optional<Answer> refused_bind(const Call& call, const std::string& path) {
    const policy::Decision decision =
        call.broker().policy().decide_unix(policy::Access::unix_bind, path);
    if (decision.allowed()) return std::nullopt;
    return call.refuse(decision, Attempt{policy::Access::unix_bind, "create unix socket", path, {}},
                       EACCES);
}

Answer bind_path(const Call& call, const CallerSocket& socket, const SocketAddress& address,
                 const std::string& path) {
    call.own_identity();
    const auto directory = call.caller().working_directory();
    if (!directory) return Answer::error(directory.error());
    // Alone: no directory that a rule speaks of may be moved between the decision and the new name.
    const std::unique_lock names(call.broker().names());
    const auto place = resolve_place(call, AT_FDCWD, path);
    if (!place) return Answer::error(place.error());
    if (!call.valid()) return Answer::error(ESRCH);
    if (place->exists || place->special()) return Answer::error(EADDRINUSE);
    if (auto refusal = call.refused(policy::Access::write, place->path, {}, "create socket"))
        return std::move(*refusal);
    if (auto refusal = refused_bind(call, place->path)) return std::move(*refusal);
    if (auto refusal = git_gate::refuse_completion(call, place->path, policy::Tree::Kind::other))
        return std::move(*refusal);
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());

    if (const int exact = bind_exactly(socket, address, *directory, *place); exact != 0) {
        // A path through /proc/self means the broker there; where it failed for the caller too,
        // this finds the same errno, unless the name is too long beside that of the directory.
        const int error = bind_in(socket, *place);
        if (error != 0) return Answer::error(error == ENAMETOOLONG ? exact : error);
    }
    const os::Fd made(
        ::openat(place->parent.get(), place->bare().c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status;
    // Gone or replaced already, or made in another directory below: then it is not remembered as
    // ours.
    if (!made || ::fstat(made.get(), &status) != 0 || !S_ISSOCK(status.st_mode))
        return Answer::value(0);
    if (const auto id = unix_socket_id(made)) call.broker().registry().add_unix(*id);
    return Answer::value(0);
}

Answer bind_unix(const Call& call, const CallerSocket& socket, const SocketAddress& address) {
    const auto name = unix_name(address);
    if (!name) return Answer::error(EINVAL);
    if (name->kind == UnixName::Kind::path) return bind_path(call, socket, address, name->text);
    if (name->kind == UnixName::Kind::abstract) {
        if (auto refusal = refused_bind(call, shown_abstract(name->text)))
            return std::move(*refusal);
    }
    return bind_unix_as_given(call, socket, address);
}

Answer refuse_bind(const Call& call, const CallerSocket& socket, const InternetAddress& address,
                   const policy::Decision& decision) {
    return call.refuse(
        decision,
        Attempt{policy::Access::bind, "bind to", endpoint(address, socket.type).text(), {}},
        EACCES);
}

}  // namespace

Answer bind_internet(const Call& call, const CallerSocket& socket, const SocketAddress& address) {
    SocketAddress given = address;
    // An old custom: AF_UNSPEC with address 0 stands for AF_INET. The kernel checks the address.
    if (given.family() == AF_UNSPEC && socket.domain == AF_INET) given.storage.ss_family = AF_INET;
    if (given.family() != socket.domain) return Answer::error(EAFNOSUPPORT);
    const auto written = internet_address(given);
    if (!written) return Answer::error(EINVAL);

    const policy::Decision decision =
        call.broker().policy().decide(policy::Access::bind, endpoint(*written, socket.type));
    if (!decision.allowed() && !written->is_any())
        return refuse_bind(call, socket, *written, decision);
    if (socket.type == SOCK_DGRAM) call.broker().associations().release(written->port);
    if (takes_over(call, socket, *written)) return Answer::error(EADDRINUSE);
    if (!decision.allowed() && !keep_to_loopback(socket))
        return refuse_bind(call, socket, *written, decision);
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    if (::bind(socket.fd.get(), given.get(), given.length) != 0) return Answer::error(errno);
    call.broker().registry().add_internet(
        socket_inode(socket), decision.allowed() ? BoundTo::address : BoundTo::loopback);
    return Answer::value(0);
}

Answer serve_bind(const Call& call) {
    const auto socket = caller_socket(call, call.int_argument(0));
    if (!socket) return Answer::error(socket.error());
    const auto address = copy_address(call.caller(), call.argument(1), call.int_argument(2));
    if (!address) return Answer::error(address.error());
    if (!call.valid()) return Answer::error(ESRCH);
    if (socket->internet()) return bind_internet(call, *socket, *address);
    if (socket->domain == AF_UNIX) return bind_unix(call, *socket, *address);
    // A routing socket's own number.
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    return Answer::of(::bind(socket->fd.get(), address->get(), address->length));
}

}  // namespace linux_backend
