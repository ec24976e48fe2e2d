// The common course of every call that changes an object's metadata: resolve, decide, perform on
// that very object.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "linux/broker/notification.h"
#include "linux/broker/resolve.h"

namespace linux_backend {

class Call;

/// How a call names the object that it changes.
struct Named {
    enum class By : std::uint8_t {
        path,
        descriptor,  ///< One that is open for input or output: an O_PATH descriptor is EBADF.
        empty_path,  ///< AT_EMPTY_PATH: any descriptor, or AT_FDCWD.
    };
    By by = By::path;
    int descriptor = AT_FDCWD;  ///< The object's, or that of the directory where `path` begins.
    std::string path;
    FinalLink final_link = FinalLink::follow;
};

/// The object that the path argument at `path_index` names from `directory`, with the AT_* `flags`
/// of the call. EINVAL for flags other than AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH, EFAULT.
OrErrno<Named> named_by_path(const Call& call, int directory, int path_index, int flags = 0);

/// As the calls do that came with Linux 6.13 (setxattrat, removexattrat, file_setattr): with
/// AT_EMPTY_PATH a null path is as an empty one, and an O_PATH descriptor is EBADF.
OrErrno<Named> named_by_path_or_null(const Call& call, int directory, int path_index, int flags);

Named named_by_descriptor(int descriptor);

/// The change itself.
struct Change {
    /// The report's verb phrase: "change the mode of".
    const char* operation;
    /// Does it on `object`, which may be an O_PATH descriptor, under the caller's identity. Returns
    /// as a system call does: a value, or -1 with errno.
    std::function<long(const Target& object)> perform;

    /// What parts of a git repository that git trusts must not suffer.
    enum class Weight : std::uint8_t {
        full,   ///< It counts as a write.
        light,  ///< Mode or times: makes nothing run on a config file, or on the directory that
                ///< holds the hooks.
    };
    Weight weight = Weight::full;

    /// Whether it would leave the object as it is, as when a copy preserves its owner; then it is
    /// light. May be empty.
    std::function<bool(const struct stat& status)> idle = {};

    /// Whether it may be done to a device node that may be written to.
    enum class Devices : std::uint8_t { refuse, allow };
    Devices devices = Devices::refuse;

    /// Whose capabilities count. The broker's own are a superset of the caller's; where the
    /// difference matters (attributes of other name spaces than "user.", immutable files) they have
    /// to be read for each call.
    enum class Rights : std::uint8_t { as_known, exact };
    Rights rights = Rights::as_known;
};

/// Answers for the whole call.
Answer change_metadata(const Call& call, const Named& named, const Change& change);

/// The decision alone: nothing when `target` may be changed so, else the recorded refusal.
std::optional<Answer> refuse_change(const Call& call, const Named& named, const Target& target,
                                    const Change& change);

/// Takes on exactly the caller's identity and capabilities on this thread.
OrErrno<void> assume_exactly(const Call& call);

}  // namespace linux_backend
