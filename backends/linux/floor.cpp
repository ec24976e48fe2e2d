// Which trees can be granted whole, and which have to be taken apart because something below is refused.
#include "linux/floor.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "os/uapi.h"

namespace linux_backend {
namespace {

/// Beyond this many rules the start would be slow; reads are observed instead.
constexpr std::size_t rule_limit = 2048;

constexpr std::uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t read_tree = read_file | LANDLOCK_ACCESS_FS_READ_DIR;

/// Devices that hold no data of anybody. A terminal is reached by these names or as what the caller already has open.
constexpr const char* device_names[] = {"/dev/null",   "/dev/zero", "/dev/full", "/dev/random",
                                        "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts"};

std::uint64_t handled_access(int abi) {
    std::uint64_t access = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // ABI 1
    if (abi >= 2) access |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3) access |= LANDLOCK_ACCESS_FS_TRUNCATE;
    if (abi >= 5) access |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
    return access;
}

class Builder {
  public:
    Builder(const policy::Policy& policy, const policy::Tree& tree, Floor& floor)
        : policy_(policy), tree_(tree), floor_(floor), handled_(handled_access(floor.features.abi)) {}

    bool create_ruleset() {
        os::LandlockRuleset attributes = {};
        attributes.handled_access_fs = handled_;
        attributes.handled_access_net = LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP;
        attributes.scoped = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL;
        const std::size_t size = os::landlock_ruleset_size(floor_.features.abi);
        floor_.ruleset.reset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
        return static_cast<bool>(floor_.ruleset);
    }

    /// Grants what is called `name` in the open directory `parent` (or an absolute path).
    void add(int parent, const char* name, std::uint64_t access) {
        const os::Fd fd(::openat(parent, name, O_PATH | O_CLOEXEC | O_NOFOLLOW));
        if (!fd) return;
        landlock_path_beneath_attr rule = {};
        rule.allowed_access = access & handled_;
        rule.parent_fd = fd.get();
        // A rule that cannot be added grants less, never more.
        if (::syscall(SYS_landlock_add_rule, floor_.ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0) ++floor_.rules;
    }

    /// Grants the directory `path` whole, or those of its children that nothing below can be refused.
    void grant_directory(int parent, const char* name, const std::string& path) {
        if (floor_.rules > rule_limit) return;
        const bool narrowed = policy_.may_refuse_below(policy::Access::read, path);
        const bool allowed = policy_.decide(policy::Access::read, path, {}, tree_).allowed();
        if (!narrowed) {
            if (allowed) add(parent, name, read_tree);
            return;
        }
        if (!allowed && !policy_.may_allow_below(policy::Access::read, path)) return;
        floor_.notify_directories |= allowed;
        if (policy_.literal_below(policy::Access::read, path)) {
            grant_children(path);
        } else if (!policy_.may_refuse_below(policy::Access::execute, path)) {
            // Reads are the broker's, one by one; running a program needs no such look.
            add(parent, name, LANDLOCK_ACCESS_FS_EXECUTE);
        }
    }

    void grant_children(const std::string& path) {
        const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
        if (!directory) return;
        const int here = ::dirfd(directory.get());
        const std::string prefix = path == "/" ? path : path + "/";
        while (const dirent* entry = ::readdir(directory.get())) {
            if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
            const std::string child = prefix + entry->d_name;
            switch (kind_of(child, entry->d_type)) {
                case DT_DIR:
                    grant_directory(here, entry->d_name, child);
                    break;
                case DT_REG:
                    if (policy_.decide(policy::Access::read, child, {}, tree_).allowed()) add(here, entry->d_name, read_file);
                    break;
                default:  // Links lead elsewhere; devices, FIFOs and sockets are the broker's.
                    break;
            }
        }
    }

    void grant_devices() {
        const std::uint64_t access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_IOCTL_DEV;
        for (const char* name : device_names) {
            struct stat status;
            if (::lstat(name, &status) != 0) continue;
            if (!policy_.decide(policy::Access::write, name, {}, tree_).allowed()) continue;
            if (S_ISCHR(status.st_mode)) add(AT_FDCWD, name, access);
            if (S_ISDIR(status.st_mode)) add(AT_FDCWD, name, access | LANDLOCK_ACCESS_FS_READ_DIR);
        }
    }

  private:
    static unsigned char kind_of(const std::string& path, unsigned char told) {
        if (told != DT_UNKNOWN) return told;
        struct stat status;
        if (::lstat(path.c_str(), &status) != 0) return DT_UNKNOWN;
        return S_ISDIR(status.st_mode) ? DT_DIR : S_ISREG(status.st_mode) ? DT_REG : DT_UNKNOWN;
    }

    const policy::Policy& policy_;
    const policy::Tree& tree_;
    Floor& floor_;
    std::uint64_t handled_;
};

}  // namespace

LandlockFeatures probe_landlock() {
    const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return LandlockFeatures{abi < 0 ? 0 : static_cast<int>(abi)};
}

core::Result<Floor> build_floor(const policy::Policy& policy, const policy::Tree& tree) {
    Floor floor;
    floor.features = probe_landlock();
    Builder builder(policy, tree, floor);
    if (floor.features.abi == 0 || !builder.create_ruleset()) {
        core::Error error = core::system_error("set up the sandbox", "Landlock");
        error.remedy = "a kernel with Landlock enabled is needed (5.13 or later, \"landlock\" in /sys/kernel/security/lsm)";
        return core::fail(std::move(error));
    }
    builder.grant_directory(AT_FDCWD, "/", "/");
    builder.grant_devices();
    floor.read_mode = floor.rules > rule_limit ? policy::ReadMode::observed : policy.read_mode();
    return floor;
}

int enforce_floor(const Floor& floor) {
    std::uint32_t flags = 0;
    if (floor.features.abi >= 7) flags |= LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF;
    return ::syscall(SYS_landlock_restrict_self, floor.ruleset.get(), flags) == 0 ? 0 : errno;
}

}  // namespace linux_backend
