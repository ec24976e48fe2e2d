// Extended attributes. Source: xattr(7), setxattr(2), the kernel's fs/xattr.c.
#include <linux/limits.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "linux/broker/call.h"
#include "linux/broker/change.h"
#include "linux/broker/handlers.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

/// The attribute's name at argument `index`.
OrErrno<std::string> name_argument(const Call& call, int index) {
    auto name = call.caller().string(call.argument(index), XATTR_NAME_MAX, ERANGE);
    if (name && name->empty()) return failed(ERANGE);
    return name;
}

Change::Rights rights_for(const std::string& name) {
    return name.rfind("user.", 0) == 0 ? Change::Rights::as_known : Change::Rights::exact;
}

/// An access control list is a kind of mode.
Change::Weight weight_of(const std::string& name) {
    return name.rfind("system.posix_acl_", 0) == 0 ? Change::Weight::light : Change::Weight::full;
}

struct Attribute {
    std::string name;
    std::vector<std::byte> value;
    int flags = 0;
};

OrErrno<Attribute> read_attribute(const Call& call, int name_index, const os::XattrArgs& given) {
    if ((given.flags & ~(XATTR_CREATE | XATTR_REPLACE)) != 0) return failed(EINVAL);
    auto name = name_argument(call, name_index);
    if (!name) return failed(name.error());
    if (given.size > XATTR_SIZE_MAX) return failed(E2BIG);
    Attribute attribute{std::move(*name), std::vector<std::byte>(given.size),
                        static_cast<int>(given.flags)};
    if (given.size != 0)
        if (auto copied = call.caller().read(given.value, attribute.value); !copied)
            return failed(copied.error());
    return attribute;
}

Answer set_attribute(const Call& call, const OrErrno<Named>& named, int name_index,
                     const os::XattrArgs& given) {
    const auto attribute = read_attribute(call, name_index, given);
    if (!attribute) return Answer::error(attribute.error());
    if (!named) return Answer::error(named.error());
    const auto perform = [&attribute](const Target& object) -> long {
        // A link that leads to an O_PATH descriptor of a symbolic link stops there.
        return ::setxattr(descriptor_link(object.object).c_str(), attribute->name.c_str(),
                          attribute->value.data(), attribute->value.size(), attribute->flags);
    };
    return change_metadata(call, *named,
                           {"set an attribute of",
                            perform,
                            weight_of(attribute->name),
                            {},
                            Change::Devices::refuse,
                            rights_for(attribute->name)});
}

Answer remove_attribute(const Call& call, const OrErrno<Named>& named, int name_index) {
    const auto name = name_argument(call, name_index);
    if (!name) return Answer::error(name.error());
    if (!named) return Answer::error(named.error());
    const auto perform = [&name](const Target& object) -> long {
        return ::removexattr(descriptor_link(object.object).c_str(), name->c_str());
    };
    return change_metadata(call, *named,
                           {"remove an attribute of",
                            perform,
                            weight_of(*name),
                            {},
                            Change::Devices::refuse,
                            rights_for(*name)});
}

/// The arguments of the older calls: value, size, flags from argument 2 on. A size that needs more
/// than 32 bits is too large either way.
os::XattrArgs value_arguments(const Call& call) {
    const std::uint64_t size = call.argument(3);
    return {call.argument(2), static_cast<__u32>(size > XATTR_SIZE_MAX ? XATTR_SIZE_MAX + 1 : size),
            static_cast<__u32>(call.argument(4))};
}

/// The kernel judges the AT_* flags before the attribute, and the path after it.
bool are_known_flags(int flags) {
    return (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) == 0;
}

}  // namespace

Answer serve_setxattr(const Call& call) {
    return set_attribute(call, named_by_path(call, AT_FDCWD, 0), 1, value_arguments(call));
}

Answer serve_lsetxattr(const Call& call) {
    return set_attribute(call, named_by_path(call, AT_FDCWD, 0, AT_SYMLINK_NOFOLLOW), 1,
                         value_arguments(call));
}

Answer serve_fsetxattr(const Call& call) {
    return set_attribute(call, named_by_descriptor(call.int_argument(0)), 1, value_arguments(call));
}

Answer serve_setxattrat(const Call& call) {
    const std::uint64_t size = call.argument(5);
    if (size < sizeof(os::XattrArgs)) return Answer::error(EINVAL);
    if (size > static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))) return Answer::error(E2BIG);
    std::vector<std::byte> bytes(size);
    if (auto copied = call.caller().read(call.argument(4), bytes); !copied)
        return Answer::error(copied.error());
    // A later kernel's arguments that we do not know must be zero.
    for (std::size_t i = sizeof(os::XattrArgs); i < size; ++i)
        if (bytes[i] != std::byte{0}) return Answer::error(E2BIG);
    os::XattrArgs given;
    std::copy_n(bytes.begin(), sizeof given, reinterpret_cast<std::byte*>(&given));
    if (!are_known_flags(call.int_argument(2))) return Answer::error(EINVAL);
    return set_attribute(
        call, named_by_path_or_null(call, call.int_argument(0), 1, call.int_argument(2)), 3, given);
}

Answer serve_removexattr(const Call& call) {
    return remove_attribute(call, named_by_path(call, AT_FDCWD, 0), 1);
}

Answer serve_lremovexattr(const Call& call) {
    return remove_attribute(call, named_by_path(call, AT_FDCWD, 0, AT_SYMLINK_NOFOLLOW), 1);
}

Answer serve_fremovexattr(const Call& call) {
    return remove_attribute(call, named_by_descriptor(call.int_argument(0)), 1);
}

Answer serve_removexattrat(const Call& call) {
    if (!are_known_flags(call.int_argument(2))) return Answer::error(EINVAL);
    return remove_attribute(
        call, named_by_path_or_null(call, call.int_argument(0), 1, call.int_argument(2)), 3);
}

}  // namespace linux_backend
