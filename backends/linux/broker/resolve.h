// From the path arguments of a call to the object they name, as the kernel would resolve them for
// the caller. Source: path_resolution(7), openat2(2), proc(5).
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "linux/broker/caller.h"
#include "os/fd.h"
#include "policy/policy.h"

namespace linux_backend {

class Call;

enum class FinalLink : std::uint8_t { follow, keep };

/// Where a path leads. Descriptors are O_PATH; a decision is made on `path` and `id`, the operation
/// on the descriptors.
struct Target {
    os::Fd object;            ///< What stands there; empty when absent.
    struct stat status = {};  ///< Of `object`.
    std::string path;  ///< Canonical; for an object without a name the kernel's text ("pipe:[1]").

    /// Kinds of object that no path rule can speak of.
    enum class Where : std::uint8_t {
        tree,       ///< An ordinary file tree.
        process,    ///< procfs; `path` holds the caller's real pid, never "self".
        anonymous,  ///< A pipe, socket, memfd or the like, reached through a descriptor link.
    };
    Where where = Where::tree;

    bool exists() const { return static_cast<bool>(object); }
    policy::FileId id() const { return {status.st_dev, status.st_ino}; }
};

/// A name in a directory: for calls that make, remove or move names.
struct Place {
    os::Fd parent;     ///< O_PATH directory.
    std::string name;  ///< Last component with the trailing slashes that the caller wrote; may be
                       ///< "." or "..".
    std::string path;  ///< Canonical path of the parent + '/' + the last component.
    struct stat status =
        {};  ///< Of what stands there now (its own status if a symbolic link), when `exists`.
    bool exists = false;
    bool is_too_long = false;  ///< ENAMETOOLONG, once the kernel would look for the name itself.

    /// "." , "..", or the root: the kernel refuses to make or remove these; let it find the right
    /// error.
    bool special() const;
    /// The name without trailing slashes.
    std::string bare() const { return name.substr(0, name.find('/')); }
    policy::FileId id() const {
        return exists ? policy::FileId{status.st_dev, status.st_ino} : policy::FileId{};
    }
};

/// The errno with which this machine refuses openat2(2), without which nothing is resolved; 0 when
/// it can be used.
int refusal_of_openat2();

/// Resolves an existing object. `directory` is the caller's descriptor number or AT_FDCWD. ENOENT
/// when it is absent. `resolve_flags` are openat2(2)'s RESOLVE_* that the caller itself gave.
OrErrno<Target> resolve_object(const Call& call, int directory, const std::string& path,
                               FinalLink final_link, std::uint64_t resolve_flags = 0);

/// The object behind one of the caller's descriptors (AT_EMPTY_PATH, f*-calls).
OrErrno<Target> resolve_descriptor(const Call& call, int descriptor);

/// Resolves the parent and looks whether the last component exists; never follows a final symbolic
/// link.
OrErrno<Place> resolve_place(const Call& call, int directory, const std::string& path,
                             std::uint64_t resolve_flags = 0);

/// What stands at a place, itself (a final symbolic link is not followed). ENOENT when it went
/// away.
OrErrno<Target> object_at(const Call& call, const Place& place);

/// The place that the symbolic link at `place` names.
OrErrno<Place> follow_link(const Call& call, const Place& place);

/// The path that leads, from where `path` begins, to what the symbolic link at its end names. For a
/// caller that restricts the resolution, and so has to be followed with its own flags.
OrErrno<std::string> path_through_link(const Place& place, const std::string& path);

/// Whether the name stands in procfs, where the text of a link is not where it leads.
bool is_in_proc(const Call& call, const Place& place);

/// The same place, looked at once more after a race.
OrErrno<Place> look_again(const Call& call, Place place);

/// The path "/proc/self/fd/N" by which our own descriptor can be named in calls that take no
/// descriptor.
std::string descriptor_link(const os::Fd& fd);

/// Canonical path of the object behind one of our own descriptors (readlink of the above).
std::string descriptor_path(int fd);

}  // namespace linux_backend
