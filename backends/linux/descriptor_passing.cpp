// SCM_RIGHTS.
#include "linux/descriptor_passing.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace linux_backend {
namespace {

/// A message of one part, with room for one descriptor.
struct Passing {
    Passing(void* data, std::size_t size) : part{data, size} {
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
    }
    Passing(const Passing&) = delete;
    Passing& operator=(const Passing&) = delete;

    iovec part;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = {};
};

}  // namespace

bool send_descriptor(int socket, int descriptor, const void* data, std::size_t size) {
    Passing passing(const_cast<void*>(data), size);
    cmsghdr* header = CMSG_FIRSTHDR(&passing.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return ::sendmsg(socket, &passing.message, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

int receive_descriptor(int socket, void* data, std::size_t size) {
    char one = 0;
    Passing passing(size > 0 ? data : &one, size > 0 ? size : 1);
    ssize_t received = 0;
    do {
        received = ::recvmsg(socket, &passing.message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    } while (received < 0 && errno == EINTR);
    const cmsghdr* header = received > 0 ? CMSG_FIRSTHDR(&passing.message) : nullptr;
    if (header == nullptr || header->cmsg_type != SCM_RIGHTS ||
        received != static_cast<ssize_t>(passing.part.iov_len))
        return -1;
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

}  // namespace linux_backend
