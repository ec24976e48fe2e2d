// Copying messages.
#include "linux/broker/message.h"

#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

namespace linux_backend {
namespace {

constexpr std::uint64_t most_bytes = 0x7ffff000;  // MAX_RW_COUNT: the kernel takes no more at once.
constexpr std::size_t most_ranges = 1024;         // UIO_MAXIOV
constexpr std::size_t most_control = std::size_t{1} << 20;  // Above each sane net.core.optmem_max.
constexpr std::size_t most_descriptors = 253;               // SCM_MAX_FD
constexpr int level_tls = 282;

struct OptionName {
    int level;
    int type;
};

/// Control messages that change how a packet is marked or cut, never where it goes.
constexpr OptionName harmless[] = {
    {IPPROTO_IP, IP_TOS},          {IPPROTO_IP, IP_TTL},          {IPPROTO_IPV6, IPV6_TCLASS},
    {IPPROTO_IPV6, IPV6_HOPLIMIT}, {IPPROTO_IPV6, IPV6_DONTFRAG}, {IPPROTO_UDP, UDP_SEGMENT},
};

bool is_harmless(int level, int type) {
    return std::any_of(std::begin(harmless), std::end(harmless), [&](const OptionName& option) {
        return option.level == level && option.type == type;
    });
}

/// Replaces the caller's descriptor numbers by those of duplicates.
OrErrno<void> duplicate_descriptors(const Call& call, std::span<std::byte> data, Message& message) {
    const std::size_t count = data.size() / sizeof(int);
    if (message.passed.size() + count > most_descriptors) return failed(EINVAL);
    for (std::size_t index = 0; index < count; ++index) {
        int descriptor = -1;
        std::memcpy(&descriptor, data.data() + index * sizeof(int), sizeof(int));
        auto copy = call.caller().duplicate(descriptor);
        if (!copy) return failed(copy.error());
        const int ours = copy->get();
        std::memcpy(data.data() + index * sizeof(int), &ours, sizeof(int));
        message.passed.push_back(std::move(*copy));
    }
    return {};
}

/// Whether `id` is one of the real, effective and saved ids that the status line `name` shows.
bool is_own_id(const std::string& status, const char* name, unsigned id) {
    const std::size_t at = status.find(name);
    if (at == std::string::npos) return false;
    std::array<unsigned, 3> own = {};
    const char* const numbers = status.c_str() + at + std::strlen(name);
    return std::sscanf(numbers, "%u %u %u", &own[0], &own[1], &own[2]) == 3 &&
           std::find(own.begin(), own.end(), id) != own.end();
}

/// The kernel would compare with the broker's ids: so it is done here.
OrErrno<void> check_credentials(const Call& call, std::span<std::byte> data) {
    ucred credentials;
    if (data.size() < sizeof credentials) return failed(EINVAL);
    std::memcpy(&credentials, data.data(), sizeof credentials);
    std::ifstream file("/proc/" + std::to_string(call.caller().thread()) + "/status");
    const std::string status(std::istreambuf_iterator<char>(file), {});
    if (credentials.pid != call.caller().process() ||
        !is_own_id(status, "\nUid:\t", credentials.uid) ||
        !is_own_id(status, "\nGid:\t", credentials.gid))
        return failed(EPERM);
    return {};
}

bool is_loopback_interface(unsigned index) {
    char name[IF_NAMESIZE] = "";
    return index == 0 ||
           (::if_indextoname(index, name) != nullptr && std::string_view(name) == "lo");
}

/// Where the socket is connected to, or the message is addressed to.
bool stays_on_machine(const CallerSocket& socket, const Message& message) {
    SocketAddress peer;
    peer.length = sizeof peer.storage;
    if (message.to)
        peer = *message.to;
    else if (::getpeername(socket.fd.get(), reinterpret_cast<sockaddr*>(&peer.storage),
                           &peer.length) != 0)
        return true;
    const auto address = internet_address(peer);
    return !address || address->is_loopback() || address->is_any();
}

/// A choice of the sending interface must not send what is meant for loopback out of another one.
OrErrno<void> check_interface(const CallerSocket& socket, const Message& message,
                              std::span<const std::byte> data, std::size_t index_at) {
    unsigned index = 0;
    if (data.size() < index_at + sizeof index) return failed(EINVAL);
    std::memcpy(&index, data.data() + index_at, sizeof index);
    if (!is_loopback_interface(index) && stays_on_machine(socket, message)) return failed(EPERM);
    return {};
}

OrErrno<void> check_control(const Call& call, const CallerSocket& socket, const cmsghdr& header,
                            std::span<std::byte> data, Message& message) {
    if (header.cmsg_level == SOL_SOCKET) {
        if (header.cmsg_type == SCM_RIGHTS && socket.domain == AF_UNIX)
            return duplicate_descriptors(call, data, message);
        if (header.cmsg_type == SCM_CREDENTIALS) return check_credentials(call, data);
        // The kernel refuses the rest or checks capabilities for it.
        return header.cmsg_type == SCM_RIGHTS ? OrErrno<void>(failed(EINVAL)) : OrErrno<void>();
    }
    if (!socket.internet()) return {};  // Such messages mean nothing there.
    if (header.cmsg_level == IPPROTO_IP && header.cmsg_type == IP_PKTINFO)
        return check_interface(socket, message, data, offsetof(in_pktinfo, ipi_ifindex));
    if (header.cmsg_level == IPPROTO_IPV6 && header.cmsg_type == IPV6_PKTINFO)
        return check_interface(socket, message, data, offsetof(in6_pktinfo, ipi6_ifindex));
    if (header.cmsg_level == level_tls || is_harmless(header.cmsg_level, header.cmsg_type))
        return {};
    // Source routes (IP_RETOPTS, IPV6_RTHDR) make another host the first that gets the packet.
    return failed(EPERM);
}

OrErrno<void> copy_control(const Call& call, const CallerSocket& socket, const msghdr& header,
                           Message& message) {
    if (header.msg_controllen == 0) return {};
    if (header.msg_controllen > most_control) return failed(ENOBUFS);
    message.control.resize(header.msg_controllen);
    const auto copied =
        call.caller().read(reinterpret_cast<std::uint64_t>(header.msg_control), message.control);
    if (!copied) return failed(copied.error());
    for (std::size_t at = 0; at + sizeof(cmsghdr) <= message.control.size();) {
        cmsghdr entry;
        std::memcpy(&entry, message.control.data() + at, sizeof entry);
        if (entry.cmsg_len < sizeof entry || entry.cmsg_len > message.control.size() - at)
            return failed(EINVAL);
        const std::span<std::byte> data =
            std::span(message.control).subspan(at, entry.cmsg_len).subspan(CMSG_LEN(0));
        if (auto checked = check_control(call, socket, entry, data, message); !checked)
            return checked;
        at += CMSG_ALIGN(entry.cmsg_len);
    }
    return {};
}

OrErrno<void> copy_ranges(const Call& call, const msghdr& header, Message& message) {
    if (header.msg_iovlen > most_ranges) return failed(EMSGSIZE);
    std::vector<iovec> ranges(header.msg_iovlen);
    const auto address = reinterpret_cast<std::uint64_t>(header.msg_iov);
    if (!ranges.empty()) {
        if (auto copied = call.caller().read(address, std::as_writable_bytes(std::span(ranges)));
            !copied)
            return copied;
    }
    for (const iovec& range : ranges) {
        if (static_cast<ssize_t>(range.iov_len) < 0) return failed(EINVAL);
        message.payload.add(reinterpret_cast<std::uint64_t>(range.iov_base), range.iov_len);
    }
    return {};
}

}  // namespace

void RemoteBytes::add(std::uint64_t address, std::uint64_t size) {
    size = std::min(size, most_bytes - left_);
    if (size == 0) return;
    ranges_.push_back({reinterpret_cast<void*>(address), size});
    left_ += size;
}

OrErrno<std::size_t> RemoteBytes::peek(const Caller& caller, std::span<std::byte> into) const {
    std::size_t filled = 0;
    for (std::size_t index = first_; index < ranges_.size() && filled < into.size(); ++index) {
        const std::size_t size = std::min(ranges_[index].iov_len, into.size() - filled);
        const auto address = reinterpret_cast<std::uint64_t>(ranges_[index].iov_base);
        if (auto copied = caller.read(address, into.subspan(filled, size)); !copied) {
            if (filled == 0) return failed(copied.error());
            break;
        }
        filled += size;
    }
    return filled;
}

void RemoteBytes::take(std::uint64_t size) {
    left_ -= size;
    while (size > 0) {
        iovec& range = ranges_[first_];
        const std::size_t part = std::min<std::uint64_t>(range.iov_len, size);
        range.iov_base = static_cast<char*>(range.iov_base) + part;
        range.iov_len -= part;
        size -= part;
        if (range.iov_len == 0) ++first_;
    }
}

bool name_broker_in_credentials(Message& message) {
    bool changed = false;
    for (std::size_t at = 0; at + sizeof(cmsghdr) <= message.control.size();) {
        cmsghdr entry;
        std::memcpy(&entry, message.control.data() + at, sizeof entry);
        if (entry.cmsg_level == SOL_SOCKET && entry.cmsg_type == SCM_CREDENTIALS) {
            const pid_t own = ::getpid();
            std::memcpy(message.control.data() + at + CMSG_LEN(offsetof(ucred, pid)), &own,
                        sizeof own);
            changed = true;
        }
        at += CMSG_ALIGN(entry.cmsg_len);
    }
    return changed;
}

OrErrno<Message> copy_message(const Call& call, const CallerSocket& socket, std::uint64_t address,
                              int flags) {
    call.own_identity();
    const auto header = call.caller().read_object<msghdr>(address);
    if (!header) return failed(header.error());
    Message message;
    message.flags = flags;
    if (static_cast<int>(header->msg_namelen) < 0) return failed(EINVAL);
    if (header->msg_name != nullptr && header->msg_namelen > 0) {
        // The kernel cuts a longer one, unlike in sendto(2).
        const auto length = std::min<std::size_t>(header->msg_namelen, sizeof(sockaddr_storage));
        const auto to =
            copy_address(call.caller(), reinterpret_cast<std::uint64_t>(header->msg_name),
                         static_cast<int>(length));
        if (!to) return failed(to.error());
        message.to = *to;
    }
    if (auto copied = copy_ranges(call, *header, message); !copied) return failed(copied.error());
    if (auto copied = copy_control(call, socket, *header, message); !copied)
        return failed(copied.error());
    return message;
}

OrErrno<Message> message_of_sendto(const Call& call) {
    Message message;
    message.flags = call.int_argument(3);
    message.payload.add(call.argument(1), call.argument(2));
    if (call.argument(4) == 0) return message;
    const auto to = copy_address(call.caller(), call.argument(4), call.int_argument(5));
    if (!to) return failed(to.error());
    if (to->length > 0) message.to = *to;
    return message;
}

}  // namespace linux_backend
