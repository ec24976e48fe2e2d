// Which trees can be granted whole, and which have to be taken apart because something below is
// refused.
#include "linux/floor.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linux/broker/resolve.h"
#include "linux/broker/terminals.h"
#include "os/uapi.h"

namespace linux_backend {
namespace {

/// Beyond this many rules the start would be slow; reads are observed instead.
constexpr std::size_t rule_limit = 2048;

constexpr std::uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t read_tree = read_file | LANDLOCK_ACCESS_FS_READ_DIR;

/// Devices that hold no data of anybody. What makes terminals is not among them: the broker has to
/// know which were made.
constexpr const char* device_names[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                        "/dev/random", "/dev/urandom", "/dev/tty"};

constexpr std::uint64_t device_access =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_IOCTL_DEV;

std::uint64_t handled_access(int abi) {
    std::uint64_t access = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // ABI 1
    if (abi >= 2) access |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3) access |= LANDLOCK_ACCESS_FS_TRUNCATE;
    if (abi >= 5) access |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
    return access;
}

/// Whether the modes of other people's files hold for this process and, as it gains no privileges,
/// for its children.
bool is_bound_by_modes() {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
    constexpr std::uint32_t passing =
        1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_SETUID;
    return ::geteuid() != 0 && ::getuid() != 0 && ::syscall(SYS_capget, &header, sets) == 0 &&
           ((sets[0].effective | sets[0].permitted) & passing) == 0;
}

/// Descriptors of no more use, closed in runs.
class Used {
  public:
    Used() = default;
    Used(const Used&) = delete;
    Used& operator=(const Used&) = delete;
    ~Used() { close(); }

    void add(int fd) {
        if (fd != end_ || end_ - begin_ == longest) {
            close();
            begin_ = fd;
        }
        end_ = fd + 1;
    }

    void close() {
        if (begin_ < end_)
            os::close_range(static_cast<unsigned>(begin_), static_cast<unsigned>(end_ - 1));
        begin_ = end_;
    }

  private:
    static constexpr int longest = 64;
    int begin_ = 0;
    int end_ = 0;
};

class Builder {
  public:
    Builder(const policy::Policy& policy, const policy::Tree& tree, Floor& floor)
        : policy_(policy),
          tree_(tree),
          floor_(floor),
          handled_(handled_access(floor.features.abi)) {}

    bool create_ruleset() {
        os::LandlockRuleset attributes = {};
        attributes.handled_access_fs = handled_;
        attributes.handled_access_net =
            LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP;
        attributes.scoped = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL;
        const std::size_t size = os::landlock_ruleset_size(floor_.features.abi);
        floor_.ruleset.reset(
            static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
        return static_cast<bool>(floor_.ruleset);
    }

    /// Grants what is called `name` in the open directory `parent` (or an absolute path).
    void add(int parent, const char* name, std::uint64_t access) {
        const int fd = open_at(parent, name, O_PATH);
        if (fd < 0) return;
        add(fd, access);
        used_.add(fd);
    }

    /// Grants what the O_PATH descriptor `fd` names.
    void add(int fd, std::uint64_t access) {
        landlock_path_beneath_attr rule = {};
        rule.allowed_access = access & handled_;
        rule.parent_fd = fd;
        // A rule that cannot be added grants less, never more.
        if (::syscall(SYS_landlock_add_rule, floor_.ruleset.get(), LANDLOCK_RULE_PATH_BENEATH,
                      &rule, 0) == 0)
            ++floor_.rules;
        else
            error_ = errno;
    }

    /// Grants the directory `path` whole, or those of its children that nothing below can be
    /// refused.
    void grant_directory(int parent, const char* name, const std::string& path) {
        if (floor_.rules > rule_limit) return;
        const auto named = policy_.narrowed_children(policy::Access::read, path);
        const bool narrowed =
            !(named && named->empty()) && policy_.may_refuse_below(policy::Access::read, path);
        const bool allowed = policy_.decide(policy::Access::read, path, {}, tree_).allowed();
        if (!narrowed || (allowed && modes_suffice(path))) {
            if (allowed) add(parent, name, read_tree);
            return;
        }
        if (!allowed && !policy_.may_allow_below(policy::Access::read, path)) return;
        floor_.notify_directories |= allowed;
        if (named || policy_.literal_below(policy::Access::read, path)) {
            grant_children(path, named);
        } else if (policy_.names_refusal_below(policy::Access::read, path)) {
            floor_.read_mode = policy::ReadMode::observed;
            grant_children(path, named);
        } else if (allowed) {
            // The kernel wants the right to read of whom it lets run a program. Every open is the
            // broker's then, and none proceeds: see Ground::observes_reads.
            floor_.read_mode = policy::ReadMode::observed;
            add(parent, name, read_tree);
        }
    }

    /// `named` are the children that have to be looked at one by one; all, where there is no such
    /// list.
    void grant_children(const std::string& path,
                        const std::optional<std::vector<std::string_view>>& named) {
        const os::Fd directory(open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY));
        if (!directory) return;
        const std::string prefix = path == "/" ? path : path + "/";
        // Not on the stack, which may be small: this is recursive.
        constexpr std::size_t size = 8192;
        const auto buffer = std::make_unique<char[]>(size);
        char* const entries = buffer.get();
        for (;;) {
            const ssize_t length = ::getdents64(directory.get(), entries, size);
            if (length <= 0) return;
            for (ssize_t at = 0; at < length;) {
                const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
                at += entry->d_reclen;
                const std::string_view name = entry->d_name;
                if (name == "." || name == "..") continue;
                const unsigned char kind = kind_of(directory.get(), *entry);
                // Links lead elsewhere; devices, FIFOs and sockets are the broker's.
                if (kind != DT_DIR && kind != DT_REG) continue;
                if (named && !std::binary_search(named->begin(), named->end(), name))
                    add(directory.get(), entry->d_name, kind == DT_DIR ? read_tree : read_file);
                else
                    grant_child(directory.get(), entry->d_name, kind, prefix + entry->d_name);
            }
        }
    }

    void grant_child(int parent, const char* name, unsigned char kind, const std::string& path) {
        if (kind == DT_DIR)
            grant_directory(parent, name, path);
        else if (policy_.decide(policy::Access::read, path, {}, tree_).allowed())
            add(parent, name, read_file);
    }

    /// The errno of the last rule that could not be added.
    int error() const { return error_; }

    void grant_devices() {
        for (const char* name : device_names) {
            struct stat status;
            if (::lstat(name, &status) != 0 || !S_ISCHR(status.st_mode)) continue;
            if (!policy_.decide(policy::Access::write, name, {}, tree_).allowed()) continue;
            add(AT_FDCWD, name, device_access);
        }
    }

    void grant_terminals(const std::vector<os::Fd>& terminals) {
        for (const os::Fd& terminal : terminals) {
            struct stat status;
            if (::fstat(terminal.get(), &status) != 0) continue;
            const std::string path = descriptor_path(terminal.get());
            const policy::FileId id = {status.st_dev, status.st_ino};
            const auto may = [&](policy::Access access) {
                return lets_own_terminal(policy_.decide(access, path, id, tree_));
            };
            if (!may(policy::Access::read) || !may(policy::Access::write)) continue;
            add(terminal.get(), device_access);
        }
    }

  private:
    int open_at(int parent, const char* name, int flags) {
        const int fd = ::openat(parent, name, flags | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0 || errno != EMFILE) return fd;
        used_.close();
        return ::openat(parent, name, flags | O_CLOEXEC | O_NOFOLLOW);
    }

    static unsigned char kind_of(int parent, const dirent64& entry) {
        if (entry.d_type != DT_UNKNOWN) return entry.d_type;
        struct stat status;
        if (::fstatat(parent, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
        return S_ISDIR(status.st_mode) ? DT_DIR : S_ISREG(status.st_mode) ? DT_REG : DT_UNKNOWN;
    }

    /// Whether all that is refused below `path` are secrets that this user cannot read anyway. What
    /// is not there would be made by the owner of `path`, with such modes.
    bool modes_suffice(const std::string& path) const {
        if (!bound_by_modes_ || ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0)
            return false;
        const auto secrets = policy_.machine_secrets_below(policy::Access::read, path);
        return secrets &&
               std::all_of(secrets->begin(), secrets->end(), [](std::string_view secret) {
                   const std::string name(secret);
                   const auto may = [&](int mode) {
                       return ::faccessat(AT_FDCWD, name.c_str(), mode, AT_EACCESS) == 0;
                   };
                   return !may(R_OK) && !may(X_OK);
               });
    }

    const policy::Policy& policy_;
    const policy::Tree& tree_;
    Floor& floor_;
    std::uint64_t handled_;
    bool bound_by_modes_ = is_bound_by_modes();
    Used used_;
    int error_ = 0;
};

}  // namespace

LandlockFeatures probe_landlock() {
    const long abi =
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return LandlockFeatures{abi < 0 ? 0 : static_cast<int>(abi)};
}

core::Result<Floor> build_floor(const policy::Policy& policy, const policy::Tree& tree,
                                const std::vector<os::Fd>& terminals) {
    const auto without_landlock = [](int error_number) {
        return core::fail(
            core::Error{"set up the sandbox", "Landlock", error_number, "",
                        "a kernel with Landlock enabled is needed (5.13 or later, \"landlock\" in "
                        "/sys/kernel/security/lsm)"});
    };
    Floor floor;
    floor.features = probe_landlock();
    Builder builder(policy, tree, floor);
    if (floor.features.abi == 0 || !builder.create_ruleset()) return without_landlock(errno);
    builder.grant_directory(AT_FDCWD, "/", "/");
    // Many programs open a directory like a file, which is not notified; above a secret that must
    // work as well. Names are told by stat(2) anyway.
    if (floor.notify_directories) builder.add(AT_FDCWD, "/", LANDLOCK_ACCESS_FS_READ_DIR);
    builder.grant_devices();
    builder.grant_terminals(terminals);
    if (floor.rules == 0 && builder.error() != 0) return without_landlock(builder.error());
    if (floor.rules > rule_limit || policy.read_mode() == policy::ReadMode::observed)
        floor.read_mode = policy::ReadMode::observed;
    return floor;
}

bool is_floor_device(std::string_view path) {
    return std::find(std::begin(device_names), std::end(device_names), path) !=
           std::end(device_names);
}

int enforce_floor(int ruleset) {
    std::uint32_t flags = 0;
    if (probe_landlock().abi >= 7) flags |= LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF;
    return ::syscall(SYS_landlock_restrict_self, ruleset, flags) == 0 ? 0 : errno;
}

}  // namespace linux_backend
