// Only sockets made inside, and what a rule allows, can be reached.
#include "linux/broker/destination.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <shared_mutex>
#include <utility>

#include "linux/broker/bound_sockets.h"
#include "linux/broker/broker.h"
#include "linux/broker/holders.h"
#include "linux/broker/receivers.h"
#include "linux/broker/resolve.h"

namespace linux_backend {
namespace {

tl::unexpected<Answer> answer(Answer ending) {
    return tl::unexpected<Answer>(std::move(ending));
}
tl::unexpected<Answer> answer_error(int error_number) {
    return answer(Answer::error(error_number));
}

const char* verb(Reach reach) {
    return reach == Reach::connect ? "connect to" : "send to";
}

Answer refuse_internet(const Call& call, const CallerSocket& socket, const InternetAddress& to,
                       Reach reach, const policy::Decision& decision) {
    return call.refuse(decision,
                       Attempt{policy::Access::connect,
                               verb(reach),
                               endpoint(to, socket.type).text(),
                               {"--net", host_and_port(to)}},
                       EACCES);
}

/// The recorded refusal when somebody outside receives at `to` whom no rule lets be reached.
std::optional<Answer> refused_for_others(const Call& call, const CallerSocket& socket,
                                         const InternetAddress& to, const Receivers& there) {
    if (!there.outside) return std::nullopt;
    const policy::Decision decision =
        call.broker().policy().decide(policy::Access::connect, endpoint(to, socket.type));
    if (decision.allowed()) return std::nullopt;
    return refuse_internet(call, socket, to, Reach::connect, decision);
}

bool share(const std::vector<std::uint64_t>& some, const std::vector<std::uint64_t>& others) {
    return std::any_of(some.begin(), some.end(), [&](std::uint64_t inode) {
        return std::find(others.begin(), others.end(), inode) != others.end();
    });
}

bool other_end_is_inside(const Call& call, const CallerSocket& socket) {
    const auto own = own_address(socket.fd);
    const auto peer = peer_address(socket.fd);
    const std::uint64_t inode = own && peer ? other_end(*own, *peer) : 0;
    return inode != 0 && !held_inside(call.broker().members(), {inode}).empty();
}

/// The kernel takes "any address" as a destination for loopback.
InternetAddress without_any(InternetAddress address) {
    if (!address.is_any()) return address;
    return address.is_v4() ? InternetAddress::v4(INADDR_LOOPBACK, address.port)
                           : InternetAddress::v6_loopback(address.port);
}

OrAnswer<Destination> find_internet(const Call& call, const CallerSocket& socket,
                                    const SocketAddress& address, Reach reach) {
    SocketAddress given = address;
    if (given.family() == AF_UNSPEC) {
        // connect(2) dissolves an association; sendto(2) takes it for AF_INET, or for no address.
        if (reach == Reach::connect) return Destination{given, {}, {}, {}, {}};
        if (socket.domain == AF_INET6) return Destination{};
        given.storage.ss_family = AF_INET;
    }
    if (socket.domain == AF_INET && given.family() != AF_INET) return answer_error(EAFNOSUPPORT);
    const auto written = internet_address(given);
    if (!written)
        return answer_error(given.family() == AF_INET || given.family() == AF_INET6 ? EINVAL
                                                                                    : EAFNOSUPPORT);
    InternetAddress to = without_any(*written);

    Destination destination;
    if (is_local(to)) {
        Receivers there = receivers(call.broker().registry(), socket.transport(), to);
        if (!there.outside && there.inside.empty() && there.stand_in) {
            to = *there.stand_in;
            there = receivers(call.broker().registry(), socket.transport(), to);
        }
        if (!there.outside) {
            destination.local = to;
            destination.receivers = std::move(there.inside);
        }
    }
    const policy::Decision decision =
        call.broker().policy().decide(policy::Access::connect, endpoint(to, socket.type));
    if (decision.allowed())
        destination.local.reset();
    else if (!destination.local)
        return answer(refuse_internet(call, socket, to, reach, decision));
    // Where nothing was replaced the caller's own bytes also carry the scope and the flow label.
    destination.address = to == *written ? given : to_socket_address(to, given.family());
    return destination;
}

Answer refuse_unix(const Call& call, const policy::Decision& decision, const std::string& name,
                   Reach reach) {
    const char* const operation =
        reach == Reach::connect ? "connect to unix socket" : "send to unix socket";
    return call.refuse(
        decision, Attempt{policy::Access::unix_connect, operation, name, {"--unix", name}}, EACCES);
}

OrAnswer<Destination> find_path(const Call& call, const std::string& path, Reach reach) {
    auto target = [&] {
        const std::shared_lock names(call.broker().names());
        return resolve_object(call, AT_FDCWD, path, FinalLink::follow);
    }();
    if (!target) return answer_error(target.error());
    // What has no name in a file tree is not bound to one either.
    if (target->where != Target::Where::tree) return answer_error(ECONNREFUSED);
    if (S_ISSOCK(target->status.st_mode)) {
        const auto id = unix_socket_id(target->object);
        if (!id || !call.broker().registry().has_unix(*id)) {
            const policy::Decision decision =
                call.broker().policy().decide_unix(policy::Access::unix_connect, target->path);
            if (!decision.allowed())
                return answer(refuse_unix(call, decision, target->path, reach));
        }
    }
    // Anything but a socket is let through to the kernel's own error.
    Destination destination;
    sockaddr_un link = {};
    link.sun_family = AF_UNIX;
    const std::string text = descriptor_link(target->object);
    std::memcpy(link.sun_path, text.c_str(), text.size() + 1);
    std::memcpy(&destination.address.storage, &link, sizeof link);
    destination.address.length =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size() + 1);
    destination.object = std::move(target->object);
    return destination;
}

struct AbstractReceivers {
    bool outside = false;
    bool any = false;
};

AbstractReceivers abstract_receivers(const Call& call, const std::string& name) {
    const auto all = abstract_sockets(name);
    if (!all) return {true, true};
    AbstractReceivers result;
    for (const std::uint64_t inode : *all) {
        result.any = true;
        if (!call.broker().registry().has_abstract(name, inode)) result.outside = true;
    }
    return result;
}

OrAnswer<Destination> find_abstract(const Call& call, const SocketAddress& address,
                                    const std::string& name, Reach reach) {
    Destination destination;
    destination.address = address;
    const AbstractReceivers there = abstract_receivers(call, name);
    if (!there.any) return answer_error(ECONNREFUSED);
    if (!there.outside) {
        destination.abstract = name;
        return destination;
    }
    const std::string shown = shown_abstract(name);
    const policy::Decision decision =
        call.broker().policy().decide_unix(policy::Access::unix_connect, shown);
    if (!decision.allowed()) return answer(refuse_unix(call, decision, shown, reach));
    return destination;
}

OrAnswer<Destination> find_unix(const Call& call, const CallerSocket& socket,
                                const SocketAddress& address, Reach reach) {
    // A datagram socket is disconnected by AF_UNSPEC; a stream's kernel code never looks at the
    // address of a send.
    const bool ignored = reach == Reach::send && socket.type != SOCK_DGRAM;
    if (ignored || (reach == Reach::connect && address.family() == AF_UNSPEC))
        return Destination{address, {}, {}, {}, {}};
    const auto name = unix_name(address);
    if (!name || name->kind == UnixName::Kind::unnamed) return answer_error(EINVAL);
    return name->kind == UnixName::Kind::path ? find_path(call, name->text, reach)
                                              : find_abstract(call, address, name->text, reach);
}

}  // namespace

std::optional<UnixSocketId> unix_socket_id(const os::Fd& object) {
    struct statx status;
    if (::statx(object.get(), "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0)
        return std::nullopt;
    UnixSocketId id;
    id.device = makedev(status.stx_dev_major, status.stx_dev_minor);
    id.inode = status.stx_ino;
    if (status.stx_mask & STATX_BTIME)
        id.birth_nanoseconds = static_cast<std::uint64_t>(status.stx_btime.tv_sec) * 1'000'000'000 +
                               status.stx_btime.tv_nsec;
    return id;
}

OrAnswer<Destination> find_destination(const Call& call, const CallerSocket& socket,
                                       const SocketAddress& address, Reach reach) {
    if (socket.internet()) return find_internet(call, socket, address, reach);
    if (socket.domain == AF_UNIX) return find_unix(call, socket, address, reach);
    // Netlink's kernel side: the filter lets only routing sockets come to be, and the kernel judges
    // the rest by the capabilities of who made the socket.
    return Destination{address, {}, {}, {}, {}};
}

OrAnswer<void> judge_again(const Call& call, const CallerSocket& socket, Destination& destination) {
    Receivers there = receivers(call.broker().registry(), socket.transport(), *destination.local);
    if (auto refusal = refused_for_others(call, socket, *destination.local, there))
        return answer(std::move(*refusal));
    destination.receivers = std::move(there.inside);
    return {};
}

std::optional<Answer> refused_afterwards(const Call& call, const CallerSocket& socket,
                                         const Destination& destination) {
    if (destination.local) {
        const Receivers there =
            receivers(call.broker().registry(), socket.transport(), *destination.local);
        if (auto refusal = refused_for_others(call, socket, *destination.local, there))
            return refusal;
        // A server may stop listening as soon as it has its one connection.
        if (!there.outside && !share(there.inside, destination.receivers) &&
            !(socket.connects() && other_end_is_inside(call, socket)))
            return Answer::error(ECONNREFUSED);
    }
    if (destination.abstract && abstract_receivers(call, *destination.abstract).outside) {
        const std::string shown = shown_abstract(*destination.abstract);
        const policy::Decision decision =
            call.broker().policy().decide_unix(policy::Access::unix_connect, shown);
        if (!decision.allowed()) return refuse_unix(call, decision, shown, Reach::connect);
    }
    return std::nullopt;
}

}  // namespace linux_backend
