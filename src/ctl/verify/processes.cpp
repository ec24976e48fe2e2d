// Effects on processes outside.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <cerrno>
#include <cinttypes>
#include <cstdlib>
#include <cstring>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"
#include "ctl/verify/procfs.h"
#include "ctl/verify/self.h"
#include "ctl/verify/targets.h"
#include "ctl/verify/victim.h"

namespace ctl::verify {
namespace {

using policy::Access;

constexpr int tried_signal = SIGUSR1;
constexpr char changed[] = "changed";
constexpr std::size_t word = sizeof(long);

// --- What is tried. Arguments: the process, an address in it, a descriptor of it, a secret. ---

pid_t process_of(const Arguments& a) {
    return std::atoi(a[0].c_str());
}

unsigned long address_of(const Arguments& a) {
    return std::strtoul(a[1].c_str(), nullptr, 10);
}

std::string file_of(const Arguments& a, const char* name) {
    return "/proc/" + a[0] + "/" + name;
}

int send_signal(const Arguments& a) {
    return outcome_of(call(SYS_kill, process_of(a), tried_signal));
}

int send_signal_to_group(const Arguments& a) {
    return outcome_of(call(SYS_kill, -process_of(a), tried_signal));
}

int send_signal_to_thread(const Arguments& a) {
    return outcome_of(call(SYS_tgkill, process_of(a), process_of(a), tried_signal));
}

int queue_signal(const Arguments& a) {
    siginfo_t info{};
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    return outcome_of(call(SYS_rt_sigqueueinfo, process_of(a), tried_signal, &info));
}

int send_signal_by_descriptor(const Arguments& a) {
    const long process = call(SYS_pidfd_open, process_of(a), 0);
    if (process < 0) return errno;
    return outcome_of(call(SYS_pidfd_send_signal, process, tried_signal, nullptr, 0));
}

int change_priority(const Arguments& a) {
    return outcome_of(call(SYS_setpriority, PRIO_PROCESS, process_of(a), 19));
}

int change_limit(const Arguments& a) {
    const rlimit limit = {7, 7};
    return outcome_of(call(SYS_prlimit64, process_of(a), RLIMIT_NOFILE, &limit, nullptr));
}

int trace(const Arguments& a) {
    const pid_t process = process_of(a);
    if (call(SYS_ptrace, PTRACE_SEIZE, process, 0, 0) != 0) return errno;
    if (call(SYS_ptrace, PTRACE_INTERRUPT, process, 0, 0) != 0) return errno;
    if (call(SYS_wait4, process, nullptr, __WALL, nullptr) < 0) return errno;
    long value;
    std::memcpy(&value, changed, word);
    return outcome_of(call(SYS_ptrace, PTRACE_POKEDATA, process, address_of(a), value));
}

int read_memory(const Arguments& a) {
    char buffer[256];
    iovec here = {buffer, sizeof buffer};
    iovec there = {reinterpret_cast<void*>(address_of(a)), sizeof buffer};
    if (call(SYS_process_vm_readv, process_of(a), &here, 1, &there, 1, 0) < 0) return errno;
    return show({buffer, sizeof buffer});
}

int write_memory(const Arguments& a) {
    char buffer[sizeof changed];
    std::memcpy(buffer, changed, sizeof changed);
    iovec here = {buffer, sizeof buffer};
    iovec there = {reinterpret_cast<void*>(address_of(a)), sizeof buffer};
    return outcome_of(call(SYS_process_vm_writev, process_of(a), &here, 1, &there, 1, 0));
}

int read_memory_file(const Arguments& a) {
    const int file = open_path(file_of(a, "mem"), O_RDONLY);
    if (file < 0) return errno;
    char buffer[256];
    if (call(SYS_pread64, file, buffer, sizeof buffer, address_of(a)) < 0) return errno;
    return show({buffer, sizeof buffer});
}

int write_memory_file(const Arguments& a) {
    const int file = open_path(file_of(a, "mem"), O_RDWR);
    if (file < 0) return errno;
    return outcome_of(call(SYS_pwrite64, file, changed, sizeof changed, address_of(a)));
}

int read_environment(const Arguments& a) {
    return show_content(open_path(file_of(a, "environ"), O_RDONLY));
}

int take_descriptor(const Arguments& a) {
    const long process = call(SYS_pidfd_open, process_of(a), 0);
    if (process < 0) return errno;
    const long taken = call(SYS_pidfd_getfd, process, std::atoi(a[2].c_str()), 0);
    return write_text(static_cast<int>(taken), changed);
}

int open_descriptor(const Arguments& a) {
    return write_text(open_path(file_of(a, "fd/") + a[2], O_WRONLY), changed);
}

int change_settings(const Arguments& a) {
    return write_text(open_path(file_of(a, "oom_score_adj"), O_WRONLY), "777\n");
}

int read_through_root(const Arguments& a) {
    return show_content(open_path(file_of(a, "root") + a[3], O_RDONLY));
}

int read_through_directory(const Arguments& a) {
    const auto name = a[3].substr(a[3].rfind("/.ssh/") + 1);
    return show_content(open_path(file_of(a, "cwd/../home/") + name, O_RDONLY));
}

// --- How it is seen. ---

using Look = bool (*)(const Victim&, const Seen&);

core::Result<Stage> process(Ground& ground, Look look) {
    const std::string secret = ground.fresh_text();
    auto victim = Victim::start(secret);
    if (!victim) return core::fail(victim.error());
    Stage stage;
    stage.arguments = {std::to_string((*victim)->pid()),
                       std::to_string(reinterpret_cast<std::uintptr_t>((*victim)->memory())),
                       std::to_string((*victim)->pipe_number())};
    stage.happened = [victim = *victim, look](const Seen& seen) { return look(*victim, seen); };
    return stage;
}

core::Result<Stage> signalled(Ground& ground) {
    return process(ground, [](const Victim& victim, const Seen&) {
        const auto pending = [&](const char* field) {
            return std::strtoul(status_field(victim.pid(), field).c_str(), nullptr, 16);
        };
        return ((pending("ShdPnd") | pending("SigPnd")) >> (tried_signal - 1) & 1) != 0;
    });
}

core::Result<Stage> slowed(Ground& ground) {
    return process(ground, [](const Victim& victim, const Seen&) {
        return getpriority(PRIO_PROCESS, static_cast<id_t>(victim.pid())) == 19;
    });
}

core::Result<Stage> limited(Ground& ground) {
    return process(ground, [](const Victim& victim, const Seen&) {
        rlimit limit{};
        prlimit(victim.pid(), RLIMIT_NOFILE, nullptr, &limit);
        return limit.rlim_cur == 7;
    });
}

core::Result<Stage> memory_changed(Ground& ground) {
    return process(ground, [](const Victim& victim, const Seen&) {
        return std::string_view(victim.memory()).starts_with(changed);
    });
}

core::Result<Stage> memory_shown(Ground& ground) {
    return process(ground, [](const Victim& victim, const Seen& seen) {
        return seen.output.find(victim.memory()) != std::string::npos;
    });
}

core::Result<Stage> pipe_written(Ground& ground) {
    return process(ground,
                   [](const Victim& victim, const Seen&) { return victim.received() == changed; });
}

core::Result<Stage> settings_changed(Ground& ground) {
    return process(ground, [](const Victim& victim, const Seen&) {
        return content_of_kernel_file("/proc/" + std::to_string(victim.pid()) + "/oom_score_adj") ==
               "777\n";
    });
}

core::Result<Stage> environment_shown(Ground& ground) {
    const std::string secret = ground.fresh_text();
    const auto program = start_waiting_program(own_program(), "VERIFY=" + secret);
    if (program == nullptr) return core::fail(core::system_error("start", own_program()));
    Stage stage;
    stage.arguments = {std::to_string(*program)};
    stage.happened = [program, secret](const Seen& seen) {
        return seen.output.find(secret) != std::string::npos;
    };
    return stage;
}

/// A secret file, by way of a process.
core::Result<Stage> secret_shown(Ground& ground) {
    const auto secret = secret_file(ground);
    if (!secret) return secret;
    auto stage = memory_shown(ground);
    if (!stage) return stage;
    stage->arguments.push_back(secret->arguments[0]);
    stage->object = secret->object;
    // The process has to live as long as the stage.
    stage->happened = [process = stage->happened, shows = secret->happened](const Seen& seen) {
        return shows(seen);
    };
    return stage;
}

constexpr Access s = Access::signal;
constexpr Access i = Access::inspect;

constexpr Effect effects[] = {
    {"processes.kill", "send a signal", signalled, send_signal, s},
    {"processes.kill-group", "send a signal to a process group", signalled, send_signal_to_group,
     s},
    {"processes.tgkill", "send a signal to a thread", signalled, send_signal_to_thread, s},
    {"processes.queue", "queue a signal", signalled, queue_signal, s},
    {"processes.pidfd-signal", "send a signal by a process descriptor", signalled,
     send_signal_by_descriptor, s},
    {"processes.priority", "change a priority", slowed, change_priority, s},
    {"processes.limit", "change a limit", limited, change_limit, s},
    {"processes.settings", "change settings in /proc", settings_changed, change_settings, i},
    {"processes.ptrace", "trace", memory_changed, trace, i},
    {"processes.read-memory", "read memory by process_vm_readv", memory_shown, read_memory, i},
    {"processes.write-memory", "write memory by process_vm_writev", memory_changed, write_memory,
     i},
    {"processes.mem-read", "read memory by /proc", memory_shown, read_memory_file, i},
    {"processes.mem-write", "write memory by /proc", memory_changed, write_memory_file, i},
    {"processes.environ", "read an environment", environment_shown, read_environment, i},
    {"processes.getfd", "take a descriptor by pidfd_getfd", pipe_written, take_descriptor, i},
    {"processes.fd", "open a descriptor by /proc", pipe_written, open_descriptor, i},
    {"processes.root", "read a secret by way of a process's root", secret_shown, read_through_root,
     Access::read},
    {"processes.cwd", "read a secret by way of a process's directory", secret_shown,
     read_through_directory, Access::read},
};

}  // namespace

std::span<const Effect> process_effects() {
    return effects;
}

}  // namespace ctl::verify
