// ioctl(2) commands that change a file through any descriptor, open a terminal or type into it, and
// file_setattr(2), the newer call for the same attributes of files.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/change.h"
#include "linux/broker/handlers.h"
#include "linux/ioctl_rules.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

constexpr const char* set_attribute = "set an attribute of";

Answer refuse_typing(const Call& call, const os::Fd& terminal) {
    if (::isatty(terminal.get()) == 0) return Answer::error(errno == EBADF ? EBADF : ENOTTY);
    const policy::Decision decision = call.broker().policy().decide_outside(policy::Access::kernel);
    return call.refuse(
        decision, Attempt{policy::Access::kernel, "type into", descriptor_path(terminal.get()), {}},
        EPERM);
}

/// Whoever holds the master has the terminal.
Answer open_other_end(const Call& call, const os::Fd& master) {
    const int flags = call.int_argument(2);
    if (!call.valid()) return Answer::error(ESRCH);
    os::Fd other(::ioctl(master.get(), TIOCGPTPEER, flags | O_CLOEXEC | O_NOCTTY));
    if (!other) return Answer::error(errno);
    return Answer::descriptor(std::move(other), (flags & O_CLOEXEC) != 0);
}

/// Runs a command whose argument we know on `copy`, the caller's own descriptor.
template <class Argument>
Answer run(const Call& call, const os::Fd& copy, std::uint32_t command) {
    auto argument = call.caller().read_object<Argument>(call.argument(2));
    if (!argument) return Answer::error(argument.error());
    if (!call.valid()) return Answer::error(ESRCH);
    // Immutable and append-only files need a capability that the caller may not have.
    if (auto assumed = assume_exactly(call); !assumed) return Answer::error(assumed.error());
    return Answer::of(::ioctl(copy.get(), command, &*argument));
}

}  // namespace

Answer serve_ioctl(const Call& call) {
    const auto command = static_cast<std::uint32_t>(call.argument(1));
    const Named named = named_by_descriptor(call.int_argument(0));
    const auto copy = call.caller().duplicate(named.descriptor);
    if (!copy) return Answer::error(copy.error());
    if ((::fcntl(copy->get(), F_GETFL) & O_PATH) != 0) return Answer::error(EBADF);
    if (std::find(ioctl_refused.begin(), ioctl_refused.end(), command) != ioctl_refused.end())
        return refuse_typing(call, *copy);
    if (command == TIOCGPTPEER) return open_other_end(call, *copy);

    const std::shared_lock hold(call.broker().names());
    const auto target = resolve_descriptor(call, named.descriptor);
    if (!target) return Answer::error(target.error());
    struct stat status;
    // Another thread may have put another file in the descriptor's place between our two looks.
    if (::fstat(copy->get(), &status) != 0 || status.st_dev != target->status.st_dev ||
        status.st_ino != target->status.st_ino || !call.valid())
        return Answer::error(EBADF);
    if (target->where == Target::Where::anonymous) return Answer::error(ENOTTY);
    if (auto refusal = refuse_change(call, named, *target, {set_attribute, {}}))
        return std::move(*refusal);
    switch (command) {
        case FS_IOC_SETFLAGS:
            return run<int>(call, *copy, command);
        case FS_IOC_FSSETXATTR:
            return run<fsxattr>(call, *copy, command);
        default:
            break;
    }
    // On the caller's own files, but of unknown effect: a subvolume or a policy for encryption is
    // more than the file.
    const policy::Decision decision = call.broker().policy().decide_outside(policy::Access::kernel);
    return call.refuse(
        decision, Attempt{policy::Access::kernel, "change the file system of", target->path, {}},
        EPERM);
}

Answer serve_file_setattr(const Call& call) {
    const auto named = named_by_path_or_null(call, call.int_argument(0), 1, call.int_argument(4));
    if (!named) return Answer::error(named.error());
    const std::uint64_t size = call.argument(3);
    if (size > static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))) return Answer::error(E2BIG);
    if (size < sizeof(os::FileAttr)) return Answer::error(EINVAL);
    std::vector<std::byte> attributes(size);
    if (auto copied = call.caller().read(call.argument(2), attributes); !copied)
        return Answer::error(copied.error());
    const auto perform = [&attributes](const Target& object) {
        return ::syscall(__NR_file_setattr, AT_FDCWD, descriptor_link(object.object).c_str(),
                         attributes.data(), attributes.size(), 0);
    };
    return change_metadata(call, *named,
                           {set_attribute,
                            perform,
                            Change::Weight::full,
                            {},
                            Change::Devices::refuse,
                            Change::Rights::exact});
}

}  // namespace linux_backend
