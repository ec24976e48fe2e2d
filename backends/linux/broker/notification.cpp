// The real listener.
#include "linux/broker/notification.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace linux_backend {

Answer Answer::of(long result) {
    return result < 0 ? error(errno) : value(result);
}

KernelListener::KernelListener(os::Fd descriptor) : descriptor_(std::move(descriptor)) {}

Listener::Received KernelListener::receive(seccomp_notif& notification) {
    std::memset(&notification, 0, sizeof notification);
    if (::ioctl(descriptor_.get(), SECCOMP_IOCTL_NOTIF_RECV, &notification) == 0)
        return Received::call;
    // Also ENOENT does not tell a caller that was killed from a filter that nobody has any more.
    pollfd state{descriptor_.get(), POLLIN, 0};
    ::poll(&state, 1, 0);
    return (state.revents & POLLHUP) != 0 ? Received::closed : Received::nothing;
}

bool KernelListener::waiting(int milliseconds) {
    pollfd state{descriptor_.get(), POLLIN, 0};
    return ::poll(&state, 1, milliseconds) > 0 && (state.revents & POLLIN) != 0;
}

bool KernelListener::valid(std::uint64_t id) {
    return request(SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

int KernelListener::request(unsigned long operation, void* argument) {
    int result = -1;
    // A caller whose answer is not sent waits for ever.
    do {
        result = ::ioctl(descriptor_.get(), operation, argument);
    } while (result < 0 && errno == EINTR);
    return result;
}

bool KernelListener::send(std::uint64_t id, Answer answer) {
    seccomp_notif_resp response = {};
    response.id = id;
    switch (answer.kind) {
        case Answer::Kind::later:
            return true;
        case Answer::Kind::descriptor: {
            seccomp_notif_addfd add = {};
            add.id = id;
            add.srcfd = static_cast<std::uint32_t>(answer.descriptor_to_install.get());
            add.newfd_flags = answer.close_on_exec ? O_CLOEXEC : 0;
            add.flags = SECCOMP_ADDFD_FLAG_SEND;
            if (request(SECCOMP_IOCTL_NOTIF_ADDFD, &add) >= 0) return true;
            response.error = -errno;
            if (answer.undo) answer.undo();
            break;
        }
        case Answer::Kind::proceed:
            response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
            break;
        case Answer::Kind::value:
            response.val = answer.number;
            break;
        case Answer::Kind::error:
            response.error = -answer.error_number;
            break;
    }
    return request(SECCOMP_IOCTL_NOTIF_SEND, &response) == 0;
}

int KernelListener::refused_operation() const {
    // Requests that no kernel carries out, each for a reason that shows that it looked at them.
    seccomp_notif notification = {};
    notification.id = 1;
    seccomp_notif_resp response = {};
    response.flags = ~0U;
    seccomp_notif_addfd add = {};
    add.flags = SECCOMP_ADDFD_FLAG_SEND;  // Linux 5.14
    add.srcfd = static_cast<std::uint32_t>(descriptor_.get());
    std::uint64_t id = 0;
    const struct {
        unsigned long operation;
        void* argument;
        int expected;
    } attempts[] = {{SECCOMP_IOCTL_NOTIF_RECV, &notification, EINVAL},
                    {SECCOMP_IOCTL_NOTIF_SEND, &response, EINVAL},
                    {SECCOMP_IOCTL_NOTIF_ADDFD, &add, ENOENT},
                    {SECCOMP_IOCTL_NOTIF_ID_VALID, &id, ENOENT}};
    for (const auto& attempt : attempts) {
        if (::ioctl(descriptor_.get(), attempt.operation, attempt.argument) == 0) return EPROTO;
        if (errno != attempt.expected) return errno;
    }
    return 0;
}

}  // namespace linux_backend
