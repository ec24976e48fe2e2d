// SCM_RIGHTS.
#include "linux/descriptor_passing.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace linux_backend {
namespace {

union Control {
    cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
};

}  // namespace

bool send_descriptor(int socket, int descriptor, const void* data, std::size_t size) {
    iovec part{const_cast<void*>(data), size};
    Control control = {};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control.space;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return ::sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

int receive_descriptor(int socket, void* data, std::size_t size) {
    char one = 0;
    iovec part{size > 0 ? data : &one, size > 0 ? size : 1};
    Control control = {};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control.space;
    ssize_t received = 0;
    do {
        received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    } while (received < 0 && errno == EINTR);
    const cmsghdr* header = received > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (header == nullptr || header->cmsg_type != SCM_RIGHTS ||
        received != static_cast<ssize_t>(part.iov_len))
        return -1;
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

}  // namespace linux_backend
