// Effects on message, semaphore and memory objects that were made outside.
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"

namespace ctl::verify {
namespace {

constexpr std::string_view changed = "changed";

struct Message {
    long type = 1;
    char text[8] = "changed";
};

int number_of(const Arguments& a) {
    return std::atoi(a[0].c_str());
}

// --- What is tried. ---

int write_segment(long segment) {
    if (segment < 0) return errno;
    const long memory = call(SYS_shmat, segment, nullptr, 0);
    if (memory == -1) return errno;
    std::memcpy(reinterpret_cast<void*>(memory), changed.data(), changed.size());
    return 0;
}

int write_memory(const Arguments& a) {
    return write_segment(number_of(a));
}

int write_memory_by_key(const Arguments& a) {
    return write_segment(call(SYS_shmget, std::atoi(a[1].c_str()), 0, 0));
}

int remove_memory(const Arguments& a) {
    return outcome_of(call(SYS_shmctl, number_of(a), IPC_RMID, nullptr));
}

int send_message(const Arguments& a) {
    const Message message;
    return outcome_of(call(SYS_msgsnd, number_of(a), &message, sizeof message.text, IPC_NOWAIT));
}

int raise_semaphore(const Arguments& a) {
    sembuf step = {0, 1, IPC_NOWAIT};
    return outcome_of(call(SYS_semop, number_of(a), &step, 1));
}

int set_semaphore(const Arguments& a) {
    return outcome_of(call(SYS_semctl, number_of(a), 0, SETVAL, 7));
}

int send_to_queue(const Arguments& a) {
    const long queue = call(SYS_mq_open, a[0].c_str(), O_WRONLY, 0, nullptr);
    if (queue < 0) return errno;
    return outcome_of(call(SYS_mq_timedsend, queue, changed.data(), changed.size(), 0, nullptr));
}

int remove_queue(const Arguments& a) {
    return outcome_of(call(SYS_mq_unlink, a[0].c_str()));
}

// --- How it is seen. ---

core::Error unavailable() {
    return core::system_error("make", "an object to aim at");
}

/// A segment of shared memory, and where it is mapped here.
struct Segment {
    int id = -1;
    void* memory = nullptr;
    ~Segment() {
        if (memory != nullptr) shmdt(memory);
        shmctl(id, IPC_RMID, nullptr);
    }
};

core::Result<Stage> segment(Ground& ground, bool (*look)(const Segment&)) {
    const auto made = std::make_shared<Segment>();
    key_t key = 0;
    // A key that nobody uses.
    for (int tries = 0; made->id < 0 && tries < 100; ++tries) {
        key = static_cast<key_t>(std::hash<std::string>()(ground.fresh_text()) & 0x7fffffff) | 1;
        made->id = shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600);
        if (made->id < 0 && errno != EEXIST) break;
    }
    void* const memory = made->id < 0 ? nullptr : shmat(made->id, nullptr, 0);
    if (memory == nullptr || memory == reinterpret_cast<void*>(-1))
        return core::fail(unavailable());
    made->memory = memory;
    Stage stage;
    stage.arguments = {std::to_string(made->id), std::to_string(key)};
    stage.happened = [made, look](const Seen&) { return look(*made); };
    return stage;
}

core::Result<Stage> memory_written(Ground& ground) {
    return segment(ground, [](const Segment& made) {
        return std::memcmp(made.memory, changed.data(), changed.size()) == 0;
    });
}

core::Result<Stage> memory_removed(Ground& ground) {
    return segment(ground, [](const Segment& made) {
        shmid_ds facts{};
        return shmctl(made.id, IPC_STAT, &facts) != 0 || (facts.shm_perm.mode & SHM_DEST) != 0;
    });
}

core::Result<Stage> queue_filled(Ground&) {
    const int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    if (id < 0) return core::fail(unavailable());
    const std::shared_ptr<void> remove(nullptr, [id](void*) { msgctl(id, IPC_RMID, nullptr); });
    Stage stage;
    stage.arguments = {std::to_string(id)};
    stage.happened = [id, remove](const Seen&) {
        msqid_ds facts{};
        return msgctl(id, IPC_STAT, &facts) == 0 && facts.msg_qnum > 0;
    };
    return stage;
}

core::Result<Stage> semaphore_raised(Ground&) {
    const int id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
    if (id < 0) return core::fail(unavailable());
    const std::shared_ptr<void> remove(nullptr, [id](void*) { semctl(id, 0, IPC_RMID); });
    Stage stage;
    stage.arguments = {std::to_string(id)};
    stage.happened = [id, remove](const Seen&) { return semctl(id, 0, GETVAL) > 0; };
    return stage;
}

/// A POSIX queue with room for a message.
struct Queue {
    std::string name;
    int descriptor = -1;
    ~Queue() {
        close(descriptor);
        call(SYS_mq_unlink, name.c_str());
    }
};

core::Result<Stage> posix_queue(Ground& ground, bool (*look)(const Queue&)) {
    const auto queue = std::make_shared<Queue>();
    queue->name = ground.fresh_text();
    mq_attr attributes{};
    attributes.mq_maxmsg = 1;
    attributes.mq_msgsize = 64;
    queue->descriptor = static_cast<int>(
        call(SYS_mq_open, queue->name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600, &attributes));
    if (queue->descriptor < 0) return core::fail(unavailable());
    Stage stage;
    stage.arguments = {queue->name};
    stage.happened = [queue, look](const Seen&) { return look(*queue); };
    return stage;
}

core::Result<Stage> posix_queue_filled(Ground& ground) {
    return posix_queue(ground, [](const Queue& queue) {
        mq_attr facts{};
        return call(SYS_mq_getsetattr, queue.descriptor, nullptr, &facts) == 0 &&
               facts.mq_curmsgs > 0;
    });
}

core::Result<Stage> posix_queue_removed(Ground& ground) {
    return posix_queue(ground, [](const Queue& queue) {
        const long again = call(SYS_mq_open, queue.name.c_str(), O_RDWR, 0, nullptr);
        if (again >= 0) close(static_cast<int>(again));
        return again < 0 && errno == ENOENT;
    });
}

constexpr policy::Access ipc = policy::Access::ipc;

constexpr Effect effects[] = {
    {"ipc.memory", "write to shared memory", memory_written, write_memory, ipc},
    {"ipc.memory-key", "write to shared memory found by its key", memory_written,
     write_memory_by_key, ipc},
    {"ipc.memory-remove", "remove shared memory", memory_removed, remove_memory, ipc},
    {"ipc.message", "send to a message queue", queue_filled, send_message, ipc},
    {"ipc.semaphore", "raise a semaphore", semaphore_raised, raise_semaphore, ipc},
    {"ipc.semaphore-set", "set a semaphore", semaphore_raised, set_semaphore, ipc},
    {"ipc.posix-queue", "send to a POSIX message queue", posix_queue_filled, send_to_queue, ipc},
    {"ipc.posix-queue-remove", "remove a POSIX message queue", posix_queue_removed, remove_queue,
     ipc},
};

}  // namespace

std::span<const Effect> ipc_effects() {
    return effects;
}

}  // namespace ctl::verify
