// System V and POSIX IPC: objects made inside may be used, those of outside processes not, as there
// is no namespace between.
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/broker/effective_identity.h"
#include "linux/broker/handlers.h"

namespace linux_backend {
namespace {

constexpr int command_version = 0x100;  // IPC_64, which C libraries may add to a command.
constexpr std::size_t longest_queue_name = 255;

/// How the calls of one kind are laid out.
struct Family {
    IpcKind kind;
    const char* shown;
    int get;
    int control;
    int flags_at;    ///< Index of the flags among the arguments of `get`.
    int command_at;  ///< Index of the command among the arguments of `control`.
    /// Commands about the whole system: they take an index or nothing, and tell what ipcs(1) shows.
    std::array<int, 4> about_all;
};

constexpr Family families[] = {
    {IpcKind::shared_memory,
     "shared memory",
     SYS_shmget,
     SYS_shmctl,
     2,
     1,
     {IPC_INFO, SHM_INFO, SHM_STAT, SHM_STAT_ANY}},
    {IpcKind::semaphores,
     "semaphores",
     SYS_semget,
     SYS_semctl,
     2,
     2,
     {IPC_INFO, SEM_INFO, SEM_STAT, SEM_STAT_ANY}},
    {IpcKind::messages,
     "message queue",
     SYS_msgget,
     SYS_msgctl,
     1,
     1,
     {IPC_INFO, MSG_INFO, MSG_STAT, MSG_STAT_ANY}},
};

const Family& family_of(int number) {
    switch (number) {
        case SYS_shmget:
        case SYS_shmctl:
        case SYS_shmat:
            return families[0];
        case SYS_msgget:
        case SYS_msgctl:
        case SYS_msgsnd:
        case SYS_msgrcv:
            return families[2];
        default:
            return families[1];
    }
}

Answer refuse_ipc(const Call& call, const std::string& object) {
    return call.refuse(call.broker().policy().decide_outside(policy::Access::ipc),
                       Attempt{policy::Access::ipc, "use", object, {}}, EACCES);
}

std::string shown_key(const Family& family, key_t key) {
    char text[64];
    std::snprintf(text, sizeof text, "%s with key 0x%08x", family.shown,
                  static_cast<unsigned>(key));
    return text;
}

/// The caller's own call but for its flags.
long get(const Call& call, const Family& family, int flags) {
    const auto key = static_cast<key_t>(call.argument(0));
    return family.flags_at == 1 ? ::syscall(family.get, key, flags)
                                : ::syscall(family.get, key, call.argument(1), flags);
}

Answer made(const Call& call, const Family& family, long id) {
    call.broker().ipc_objects().add(family.kind, static_cast<int>(id));
    return Answer::value(id);
}

/// What the kernel says of an object.
struct Looked {
    int error = 0;
    pid_t creator = 0;  ///< Of shared memory only.
};

Looked look(const Call& call, const Family& family, int id) {
    union {
        shmid_ds memory;
        semid_ds semaphores;
        msqid_ds messages;
    } status = {};
    call.own_identity();
    const long result = family.command_at == 1
                            ? ::syscall(family.control, id, IPC_STAT, &status)
                            : ::syscall(family.control, id, 0, IPC_STAT, &status);
    if (result != 0) return {errno, 0};
    return {0, family.kind == IpcKind::shared_memory ? status.memory.shm_cpid : 0};
}

/// Removed shared memory lives on, and may be attached, as long as somebody has it; its number is
/// used again after that. That it still is ours is told by who made it: the broker.
bool made_inside(const Call& call, const Family& family, int id) {
    if (!call.broker().ipc_objects().has(family.kind, id)) return false;
    return family.kind != IpcKind::shared_memory || look(call, family, id).creator == ::getpid();
}

Answer remove_object(const Call& call, const Family& family, int id) {
    {
        const EffectiveIdentity identity(call);
        if (identity.error() != 0) return Answer::error(identity.error());
        const long result = family.command_at == 1
                                ? ::syscall(family.control, id, IPC_RMID, nullptr)
                                : ::syscall(family.control, id, 0, IPC_RMID);
        if (result != 0) return Answer::error(errno);
    }
    if (look(call, family, id).error != 0) call.broker().ipc_objects().remove(family.kind, id);
    return Answer::value(0);
}

/// The system call: glibc's function takes the leading slash off.
os::Fd open_queue(const Call& call, const std::string& name, int flags, const void* attributes) {
    return os::Fd(static_cast<int>(::syscall(SYS_mq_open, name.c_str(), flags,
                                             static_cast<mode_t>(call.argument(2)), attributes)));
}

std::uint64_t inode_of(const os::Fd& fd) {
    struct stat status;
    return ::fstat(fd.get(), &status) == 0 ? status.st_ino : 0;
}

/// Makes the queue if nobody had it; nothing when there is one already.
std::optional<Answer> make_queue(const Call& call, const std::string& name, int flags) {
    std::array<long, 8> attributes = {};  // struct mq_attr of the kernel
    const void* given = nullptr;
    if (call.argument(3) != 0) {
        call.own_identity();
        if (auto copied =
                call.caller().read(call.argument(3), std::as_writable_bytes(std::span(attributes)));
            !copied)
            return Answer::error(copied.error());
        if (!call.valid()) return Answer::error(ESRCH);
        given = attributes.data();
        if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    }
    os::Fd queue = open_queue(call, name, flags | O_CREAT | O_EXCL, given);
    if (!queue) {
        if (errno == EEXIST && (flags & O_EXCL) == 0) return std::nullopt;
        return Answer::error(errno);
    }
    call.broker().ipc_objects().add_queue(name, inode_of(queue));
    return Answer::descriptor(std::move(queue), true);
}

}  // namespace

Answer serve_ipc_get(const Call& call) {
    const Family& family = family_of(call.row().number);
    const auto key = static_cast<key_t>(call.argument(0));
    const int flags = call.int_argument(family.flags_at);
    long id = -1;
    {
        const EffectiveIdentity identity(call);
        if (identity.error() != 0) return Answer::error(identity.error());
        if (key == IPC_PRIVATE || (flags & IPC_CREAT) != 0) {
            id = get(call, family, flags | IPC_CREAT | IPC_EXCL);
            if (id >= 0) return made(call, family, id);
            if (errno != EEXIST || (flags & IPC_EXCL) != 0) return Answer::error(errno);
        }
        id = get(call, family, flags & ~IPC_CREAT);
        if (id < 0) return Answer::error(errno);
    }
    if (!made_inside(call, family, static_cast<int>(id)))
        return refuse_ipc(call, shown_key(family, key));
    return Answer::value(id);
}

Answer serve_ipc_use(const Call& call) {
    const Family& family = family_of(call.row().number);
    const int id = call.int_argument(0);
    const bool controls = call.row().number == family.control;
    const int command = controls ? call.int_argument(family.command_at) & ~command_version : 0;
    // SAFETY: the command is a register, and these change nothing whatever the rest of the
    // arguments.
    if (controls && std::find(family.about_all.begin(), family.about_all.end(), command) !=
                        family.about_all.end())
        return Answer::proceed();
    if (!made_inside(call, family, id)) {
        const int error = look(call, family, id).error;
        if (error == EINVAL || error == EIDRM) return Answer::error(error);  // There is none.
        return refuse_ipc(call, std::string(family.shown) + " " + std::to_string(id));
    }
    // Here rather than by the caller: the number may belong to an outside object afterwards.
    if (controls && command == IPC_RMID) return remove_object(call, family, id);
    // SAFETY: the object is named by a register alone, and was made inside. The kernel checks its
    // permissions.
    return Answer::proceed();
}

Answer serve_mq_open(const Call& call) {
    const auto name = call.caller().string(call.argument(0), longest_queue_name, ENAMETOOLONG);
    if (!name) return Answer::error(name.error());
    if (!call.valid()) return Answer::error(ESRCH);
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    const int flags = call.int_argument(1);
    if ((flags & O_CREAT) != 0) {
        if (auto answer = make_queue(call, *name, flags)) return std::move(*answer);
    }
    os::Fd queue = open_queue(call, *name, flags & ~(O_CREAT | O_EXCL), nullptr);
    if (!queue) return Answer::error(errno);
    if (!call.broker().ipc_objects().has_queue(*name, inode_of(queue)))
        return refuse_ipc(call, "message queue /" + *name);
    return Answer::descriptor(std::move(queue), true);
}

Answer serve_mq_unlink(const Call& call) {
    const auto name = call.caller().string(call.argument(0), longest_queue_name, ENAMETOOLONG);
    if (!name) return Answer::error(name.error());
    if (!call.valid()) return Answer::error(ESRCH);
    if (auto assumed = call.assume_identity(); !assumed) return Answer::error(assumed.error());
    const os::Fd queue = open_queue(call, *name, O_RDONLY | O_NONBLOCK, nullptr);
    // A queue that its owner may not read can be unlinked natively all the same; here it cannot be
    // told to be ours.
    if (!queue && errno != EACCES) return Answer::error(errno);
    if (!queue || !call.broker().ipc_objects().has_queue(*name, inode_of(queue)))
        return refuse_ipc(call, "message queue /" + *name);
    if (::syscall(SYS_mq_unlink, name->c_str()) != 0) return Answer::error(errno);
    call.broker().ipc_objects().remove_queue(*name);
    return Answer::value(0);
}

}  // namespace linux_backend
