// One process, up to three threads, and raw system calls: the C library would hide what differs.
#include "perform.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "guard.h"
#include "marshal.h"
#include "operation.h"
#include "worker.h"

namespace differential {
namespace {

constexpr int looked_at = 64;  // Descriptors that the last line tells of.

std::atomic<int> signals_seen = 0;
std::atomic<int> last_signal = 0;

void note_signal(int number) {
    ++signals_seen;
    last_signal = number;
}

/// Opened in this order from 3 on, by either side in its own tree.
void open_descriptors() {
    ::open(".", O_RDONLY | O_DIRECTORY);                // 3
    ::open("d", O_PATH | O_DIRECTORY);                  // 4
    ::open("f", O_RDWR);                                // 5
    ::open("g", O_RDONLY | O_CLOEXEC);                  // 6
    ::open("l", O_PATH | O_NOFOLLOW);                   // 7
    ::open("d/e", O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // 8
    ::open("f", O_PATH);                                // 9
    ::open(".", O_TMPFILE | O_RDWR, 0640);              // 10
    ::socket(AF_UNIX, SOCK_STREAM, 0);                  // 11
    ::syscall(SYS_memfd_create, "m", 0);                // 12
    int ends[2];
    if (::pipe2(ends, O_NONBLOCK) != 0) return;  // 13, 14
    ::open("s", O_PATH);                         // 15
    ::open("h1", O_WRONLY | O_APPEND);           // 16
}

/// The kernel's name of an object without what differs: the top, our process and thread, inode
/// numbers.
std::string plain_name(std::string name, const std::string& top) {
    if (name.starts_with(top)) name.replace(0, top.size(), "%");
    const std::string process = "/proc/" + std::to_string(::getpid());
    if (name.starts_with(process)) name.replace(0, process.size(), "/proc/PID");
    const std::string thread = "/task/" + std::to_string(::gettid());
    if (const std::size_t at = name.find(thread); at != std::string::npos)
        name.replace(at, thread.size(), "/task/TID");
    std::string plain;
    for (std::size_t i = 0; i < name.size(); ++i) {
        plain += name[i];
        if (name[i] != '#' && name[i] != '[') continue;
        while (i + 1 < name.size() && name[i + 1] >= '0' && name[i + 1] <= '9') ++i;
    }
    return plain;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
        text.replace(at, from.size(), to);
}

/// O_NOFOLLOW is left out: an object that was decided on is opened once more through its descriptor
/// link, where that flag would be an error.
std::string describe_descriptor(int descriptor, const std::string& top) {
    struct stat status = {};
    ::fstat(descriptor, &status);
    char text[64];
    std::snprintf(text, sizeof text, " mode %o flags 0x%x %x ", status.st_mode,
                  static_cast<unsigned>(::fcntl(descriptor, F_GETFL) & ~O_NOFOLLOW),
                  static_cast<unsigned>(::fcntl(descriptor, F_GETFD)));
    return text + quoted(plain_name(Guard::name_of(descriptor), top));
}

std::string describe_status(const struct stat& status) {
    char text[128];
    std::snprintf(text, sizeof text, " mode %o owner %u:%u links %lu size %ld", status.st_mode,
                  status.st_uid, status.st_gid, static_cast<unsigned long>(status.st_nlink),
                  S_ISDIR(status.st_mode) ? 0L : static_cast<long>(status.st_size));
    return text;
}

std::string error_name(int number) {
    const char* name = ::strerrorname_np(number);
    return name != nullptr ? std::string("-") + name : "-" + std::to_string(number);
}

/// Makes calls for a thread, with what it needs to say what came of them.
class Performer {
  public:
    explicit Performer(std::string top) : top_(std::move(top)), guard_(top_) {}

    std::string perform(const std::string& line) const {
        const auto operation = parse_operation(line, top_);
        if (!operation) return "malformed";
        const Reach reach = reach_of(*operation);
        if (reach == Reach::outside) return "not made: it leaves the tree";
        const std::string note = reach == Reach::process ? " (procfs)" : "";
        Marshalled call(*operation);
        if (opens(*operation)) keep_from_waiting(call, *operation);
        if (operation->actor == Actor::vforked || operation->row->name.starts_with("exec"))
            return perform_apart(*operation, call) + note;
        return outcome(*operation, call) + note;
    }

  private:
    /// The guard needs descriptors of its own, whatever the sequence has made of the limit.
    Reach reach_of(const Operation& operation) const {
        rlimit limit;
        ::getrlimit(RLIMIT_NOFILE, &limit);
        const rlimit raised{limit.rlim_max, limit.rlim_max};
        const bool raise = limit.rlim_cur < raised.rlim_cur && limit.rlim_cur < looked_at;
        if (raise) ::setrlimit(RLIMIT_NOFILE, &raised);
        const Reach reach = guard_.reach_of(operation);
        if (raise) ::setrlimit(RLIMIT_NOFILE, &limit);
        return reach;
    }

    static bool opens(const Operation& operation) {
        return operation.row->returns == Returns::descriptor && operation.row->name != "dup" &&
               operation.row->name != "dup3";
    }

    /// An open of a FIFO would wait for an other end that never comes.
    static void keep_from_waiting(Marshalled& call, const Operation& operation) {
        const std::string_view letters = operation.row->arguments;
        const std::size_t path = letters.find('p');
        if (operation.arguments[path].kind != Argument::Kind::text) return;
        struct stat status;
        const int directory = path == 0 ? AT_FDCWD : static_cast<int>(call.value(0));
        if (::fstatat(directory, operation.arguments[path].text.c_str(), &status, 0) == 0 &&
            S_ISFIFO(status.st_mode))
            call.set_nonblocking(operation);
    }

    std::string outcome(const Operation& operation, Marshalled& call) const {
        const int signals = signals_seen;
        errno = 0;
        const long value = call.make();
        const int error = errno;
        std::string text = value == -1 ? error_name(error) : std::to_string(value);
        if (signals_seen != signals) text += " signal " + std::to_string(last_signal);
        if (value < 0) return text;
        if (operation.row->returns == Returns::descriptor)
            return text + describe_descriptor(static_cast<int>(value), top_);
        if (const struct stat* status = call.status()) return text + describe_status(*status);
        if (call.buffer() == nullptr) return text;
        // The length of a name depends on where the tree is.
        std::string bytes(call.buffer(), static_cast<std::size_t>(value));
        const bool is_name = operation.row->name == "readlinkat" || operation.row->name == "getcwd";
        if (!is_name) return text + ' ' + quoted(bytes);
        replace_all(bytes, top_, "%");
        return quoted(plain_name(bytes, top_));
    }

    std::string perform_apart(const Operation& operation, Marshalled& call) const {
        std::string text;
        const pid_t child = ::vfork();
        if (child == 0) {
            text = outcome(operation, call);
            ::_exit(0);
        }
        int status = 0;
        if (child < 0 || ::waitpid(child, &status, 0) != child) return "no child";
        return status == 0 && !text.empty() ? text
                                            : "status of the child: " + std::to_string(status);
    }

    std::string top_;
    Guard guard_;
};

std::string descriptors_left(const std::string& top) {
    std::string text = "descriptors:";
    for (int descriptor = 0; descriptor < looked_at; ++descriptor)
        if (::fcntl(descriptor, F_GETFD) >= 0)
            text += "\n  " + std::to_string(descriptor) + describe_descriptor(descriptor, top);
    return text;
}

}  // namespace

std::vector<std::string> perform(const std::vector<std::string>& lines, const std::string& top) {
    struct sigaction action = {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGXFSZ, &action, nullptr);
    ::sigaction(SIGPIPE, &action, nullptr);
    ::umask(022);
    if (::chdir((top + "/t").c_str()) != 0) return {"no tree"};
    open_descriptors();

    const Performer performer(top);
    std::unique_ptr<Worker> sharing;
    std::unique_ptr<Worker> separate;
    std::vector<std::string> results;
    for (const std::string& line : lines) {
        std::string result;
        const auto work = [&] { result = performer.perform(line); };
        if (line.starts_with("@1")) {
            if (!sharing) sharing = std::make_unique<Worker>(Worker::Table::shared);
            sharing->run(work);
        } else if (line.starts_with("@2")) {
            if (!separate) separate = std::make_unique<Worker>(Worker::Table::own);
            separate->run(work);
        } else {
            work();
        }
        results.push_back(std::move(result));
    }
    results.push_back(descriptors_left(top));
    // Their threads wait for ever; the process ends with _exit.
    static_cast<void>(sharing.release());
    static_cast<void>(separate.release());
    return results;
}

}  // namespace differential
