// Effects by calls that reach past the sandbox.
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"
#include "ctl/verify/other_entry.h"
#include "ctl/verify/procfs.h"
#include "ctl/verify/ring.h"
#include "ctl/verify/targets.h"

namespace ctl::verify {
namespace {

using policy::Access;

// --- What is tried. ---

int mount_memory(const Arguments& a) {
    return outcome_of(call(SYS_mount, "none", a[0].c_str(), "tmpfs", 0, nullptr));
}

int hold_when(long result) {
    return result < 0 ? errno : hold(getpid());
}

int enter_user_namespace(const Arguments&) {
    return hold_when(call(SYS_unshare, CLONE_NEWUSER));
}

int enter_mount_namespace(const Arguments&) {
    return hold_when(call(SYS_unshare, CLONE_NEWNS));
}

int enter_network_namespace(const Arguments&) {
    return hold_when(call(SYS_unshare, CLONE_NEWNET));
}

/// The child that `pid` tells of waits until we have been looked at.
int hold_child(long pid) {
    if (pid < 0) return errno;
    if (pid == 0) {
        while (true) pause();
    }
    hold(static_cast<pid_t>(pid));
    call(SYS_kill, pid, SIGKILL);
    return outcome_of(call(SYS_wait4, pid, nullptr, __WALL, nullptr));
}

int clone_into_user_namespace(const Arguments&) {
    return hold_child(call(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

int clone3_into_user_namespace(const Arguments&) {
    clone_args arguments{};
    arguments.flags = CLONE_NEWUSER;
    arguments.exit_signal = SIGCHLD;
    return hold_child(call(SYS_clone3, &arguments, sizeof arguments));
}

int change_root(const Arguments& a) {
    return hold_when(call(SYS_chroot, a[0].c_str()));
}

int add_key(const Arguments& a) {
    return outcome_of(call(SYS_add_key, "user", a[0].c_str(), "x", 1, KEY_SPEC_USER_KEYRING));
}

int open_by_handle(const Arguments& a) {
    alignas(file_handle) unsigned char bytes[sizeof(file_handle) + MAX_HANDLE_SZ] = {};
    auto* const handle = reinterpret_cast<file_handle*>(bytes);
    handle->handle_bytes = MAX_HANDLE_SZ;
    int mount = 0;
    if (call(SYS_name_to_handle_at, AT_FDCWD, a[0].c_str(), handle, &mount, 0) != 0) return errno;
    const int directory = open_path(a[1], O_RDONLY | O_DIRECTORY);
    return show_content(static_cast<int>(call(SYS_open_by_handle_at, directory, handle, O_RDONLY)));
}

int use_bpf(const Arguments&) {
    bpf_attr attributes{};
    attributes.map_type = BPF_MAP_TYPE_ARRAY;
    attributes.key_size = 4;
    attributes.value_size = 4;
    attributes.max_entries = 1;
    return hold_when(call(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}

int use_perf(const Arguments&) {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_SW_DUMMY;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    return hold_when(call(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

int handle_page_faults(const Arguments&) {
    constexpr int user_mode_only = 1;
    return hold_when(call(SYS_userfaultfd, user_mode_only));
}

int watch_file_system(const Arguments&) {
    return hold_when(call(SYS_fanotify_init, FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY));
}

int create_by_ring(const Arguments& a) {
    return create_file_by_ring(a[0] + "/new");
}

int create_by_32_bit_entry(const Arguments& a) {
    return create_file_by_32_bit_entry(a[0] + "/new");
}

int create_by_x32_entry(const Arguments& a) {
    return create_file_by_x32_entry(a[0] + "/new");
}

// --- How it is seen. ---

core::Result<Stage> mount_point(Ground& ground) {
    const std::string place = ground.outside();
    struct stat before {};
    stat(place.c_str(), &before);
    const std::shared_ptr<void> unmount(nullptr,
                                        [place](void*) { umount2(place.c_str(), MNT_DETACH); });
    Stage stage;
    stage.arguments = {place};
    stage.happened = [place, device = before.st_dev, unmount](const Seen&) {
        struct stat after {};
        return stat(place.c_str(), &after) == 0 && after.st_dev != device;
    };
    return stage;
}

/// The held process is in another namespace than we are.
template <char kind>
core::Result<Stage> other_namespace(Ground&) {
    Stage stage;
    stage.happened = [](const Seen& seen) {
        const std::string name = kind == 'u' ? "ns/user" : kind == 'm' ? "ns/mnt" : "ns/net";
        const std::string there = link_of(seen.held, name);
        return !there.empty() && there != link_of(getpid(), name);
    };
    return stage;
}

core::Result<Stage> other_root(Ground& ground) {
    Stage stage;
    stage.arguments = {ground.workspace()};
    stage.happened = [root = ground.workspace()](const Seen& seen) {
        return link_of(seen.held, "root") == root;
    };
    return stage;
}

long find_key(const std::string& name) {
    return call(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", name.c_str(), 0);
}

core::Result<Stage> keyring(Ground& ground) {
    const std::string name = ground.fresh_text();
    const std::shared_ptr<void> remove(nullptr, [name](void*) {
        const long key = find_key(name);
        if (key >= 0) call(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
    });
    Stage stage;
    stage.arguments = {name};
    stage.happened = [name, remove](const Seen&) { return find_key(name) >= 0; };
    return stage;
}

/// The held process has a descriptor of that kind.
core::Result<Stage> descriptor_of_kind(std::string_view kind) {
    Stage stage;
    stage.happened = [kind](const Seen& seen) {
        const auto links = descriptor_links(seen.held);
        return std::find(links.begin(), links.end(), kind) != links.end();
    };
    return stage;
}

core::Result<Stage> bpf_map(Ground&) {
    return descriptor_of_kind("anon_inode:bpf-map");
}

core::Result<Stage> perf_event(Ground&) {
    return descriptor_of_kind("anon_inode:[perf_event]");
}

core::Result<Stage> fault_handler(Ground&) {
    return descriptor_of_kind("anon_inode:[userfaultfd]");
}

core::Result<Stage> watcher(Ground&) {
    return descriptor_of_kind("anon_inode:[fanotify]");
}

constexpr Access k = Access::kernel;

constexpr Effect effects[] = {
    {"kernel.mount", "mount a file system", mount_point, mount_memory, k},
    {"kernel.user-namespace", "enter a user namespace", other_namespace<'u'>, enter_user_namespace,
     k},
    {"kernel.clone", "start a process in a user namespace", other_namespace<'u'>,
     clone_into_user_namespace, k},
    {"kernel.clone3", "start a process in a user namespace by clone3", other_namespace<'u'>,
     clone3_into_user_namespace, k},
    {"kernel.mount-namespace", "enter a mount namespace", other_namespace<'m'>,
     enter_mount_namespace, k},
    {"kernel.network-namespace", "enter a network namespace", other_namespace<'n'>,
     enter_network_namespace, k},
    {"kernel.chroot", "change the root directory", other_root, change_root, k},
    {"kernel.io-uring", "create a file outside by io_uring", outside_tree, create_by_ring, k},
    {"kernel.handle", "read a private key by its file handle", secret_file, open_by_handle, k},
    {"kernel.keyring", "add a key to a keyring", keyring, add_key, k},
    {"kernel.bpf", "use BPF", bpf_map, use_bpf, k},
    {"kernel.perf", "use performance events", perf_event, use_perf, k},
    {"kernel.userfaultfd", "handle page faults", fault_handler, handle_page_faults, k},
    {"kernel.fanotify", "watch a file system", watcher, watch_file_system, k},
    {"kernel.32-bit", "create a file outside by the 32-bit entry", outside_tree,
     create_by_32_bit_entry, k},
    {"kernel.x32", "create a file outside by the x32 entry", outside_tree, create_by_x32_entry, k},
};

}  // namespace

std::span<const Effect> kernel_effects() {
    return effects;
}

}  // namespace ctl::verify
