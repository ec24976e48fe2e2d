// What must work inside.
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"
#include "ctl/verify/sockets.h"
#include "ctl/verify/targets.h"

namespace ctl::verify {
namespace {

constexpr std::string_view new_settings =
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = Verify\n";

// --- What is tried. ---

/// Serves one connection to itself, and shows what came through it.
int serve_and_reach(int family, Address address, std::string_view text) {
    const int server = static_cast<int>(call(SYS_socket, family, SOCK_STREAM, 0));
    const int client = static_cast<int>(call(SYS_socket, family, SOCK_STREAM, 0));
    if (call(SYS_bind, server, &address.storage, address.size) != 0) return errno;
    if (call(SYS_listen, server, 1) != 0) return errno;
    if (call(SYS_getsockname, server, &address.storage, &address.size) != 0) return errno;
    if (call(SYS_connect, client, &address.storage, address.size) != 0) return errno;
    if (const int error = write_text(client, text)) return error;
    call(SYS_shutdown, client, SHUT_WR);
    return show_content(static_cast<int>(call(SYS_accept4, server, nullptr, nullptr, 0)));
}

int reach_own_server(const Arguments& a) {
    return serve_and_reach(AF_INET, internet_address(INADDR_LOOPBACK, 0), a[0]);
}

int reach_own_socket(const Arguments& a) {
    return serve_and_reach(AF_UNIX, unix_address(a[1]), a[0]);
}

/// Ends a child by a signal, and shows the text when that is how it ended.
int end_own_child(const Arguments& a) {
    const long child = call(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child < 0) return errno;
    if (child == 0) {
        while (true) pause();
    }
    int status = 0;
    if (call(SYS_kill, child, SIGTERM) != 0) return errno;
    if (call(SYS_wait4, child, &status, 0, nullptr) < 0) return errno;
    return WIFSIGNALED(status) ? show(a[0]) : ECHILD;
}

int change_plain_settings(const Arguments& a) {
    const std::string lock = a[0] + ".lock";
    if (const int error = write_text(open_path(lock, O_WRONLY | O_CREAT | O_EXCL), new_settings))
        return error;
    return outcome_of(call(SYS_renameat2, AT_FDCWD, lock.c_str(), AT_FDCWD, a[0].c_str(), 0));
}

int write_outside(const Arguments& a) {
    return write_text(open_path(a[0] + "/file", O_WRONLY), "changed\n");
}

// --- How it is seen. ---

/// A stage whose attempt has to leave `text` in `name` in the workspace.
core::Result<Stage> leaves_file(Ground& ground, const std::string& name, const std::string& text) {
    if (auto renewed = ground.renew_workspace(); !renewed) return core::fail(renewed.error());
    const std::string path = ground.workspace() + "/" + name;
    Stage stage;
    stage.object = path;
    stage.arguments = {path};
    stage.happened = [path, text](const Seen&) { return content_of(path) == text; };
    return stage;
}

/// A stage whose attempt has to show its first argument, or what becomes of it.
core::Result<Stage> shows_text(Ground& ground) {
    if (auto renewed = ground.renew_workspace(); !renewed) return core::fail(renewed.error());
    const std::string text = ground.fresh_text();
    Stage stage;
    stage.arguments = {text, ground.workspace() + "/scratch/s"};
    stage.happened = [text](const Seen& seen) {
        return seen.output.find(text) != std::string::npos;
    };
    return stage;
}

core::Result<Stage> new_file(Ground& ground) {
    return leaves_file(ground, "made", "made\n");
}

core::Result<Stage> copy(Ground& ground) {
    return leaves_file(ground, "copied", "ordinary text\n");
}

core::Result<Stage> settings(Ground& ground) {
    return leaves_file(ground, ".git/config", std::string(new_settings));
}

core::Result<Stage> temporary_file(Ground& ground) {
    const std::string path = "/tmp/" + ground.fresh_text();
    const std::shared_ptr<void> remove(nullptr, [path](void*) { remove_all(path); });
    Stage stage;
    stage.object = path;
    stage.arguments = {path};
    stage.happened = [path, remove](const Seen&) { return content_of(path) == "made\n"; };
    return stage;
}

core::Result<Stage> pipe_output(Ground&) {
    Stage stage;
    stage.happened = [](const Seen& seen) { return seen.output == "THROUGH\n"; };
    return stage;
}

core::Result<Stage> variable(Ground& ground) {
    const std::string text = ground.fresh_text();
    Stage stage;
    stage.variables = {"VERIFY_PLAIN=" + text};
    stage.happened = [text](const Seen& seen) { return seen.output == text + "\n"; };
    return stage;
}

core::Result<Stage> exit_status(Ground&) {
    Stage stage;
    stage.happened = [](const Seen& seen) {
        return WIFEXITED(seen.status) && WEXITSTATUS(seen.status) == 7;
    };
    return stage;
}

core::Result<Stage> death_by_signal(Ground&) {
    Stage stage;
    stage.happened = [](const Seen& seen) {
        return WIFSIGNALED(seen.status) && WTERMSIG(seen.status) == SIGTERM;
    };
    return stage;
}

core::Result<Stage> report(Ground& ground) {
    auto stage = outside_tree(ground);
    if (!stage) return stage;
    const std::string text = "sbxsh: blocked: write to " + stage->object;
    stage->happened = [text](const Seen& seen) {
        return seen.complaints.find(text) != std::string::npos;
    };
    return stage;
}

constexpr policy::Access w = policy::Access::write;
constexpr std::string_view as_attempt = Effect{}.line;

constexpr Effect effects[] = {
    {"use.write", "write in the workspace", new_file, nullptr, w, "echo made > made"},
    {"use.temporary", "write to /tmp", temporary_file, nullptr, w, "echo made > \"$3\""},
    {"use.programs", "run programs", copy, nullptr, w, "sh -c 'cat ordinary' > copied"},
    {"use.pipe",
     "pipe from program to program",
     pipe_output,
     nullptr,
     {},
     "echo through | tr a-z A-Z | cat"},
    {"use.environment", "see ordinary variables", variable, nullptr, {}, "echo \"$VERIFY_PLAIN\""},
    {"use.status", "end with a status", exit_status, nullptr, {}, "exit 7"},
    {"use.signal", "end by a signal", death_by_signal, nullptr, {}, "kill -TERM $$"},
    {"use.child", "signal a process started inside", shows_text, end_own_child},
    {"use.loopback", "reach a server on loopback started inside", shows_text, reach_own_server},
    {"use.unix", "reach a unix socket made inside", shows_text, reach_own_socket},
    {"use.git", "change a harmless setting of git", settings, change_plain_settings, w},
    {"use.report", "be told of a refusal", report, write_outside, w, as_attempt, Control::none},
};

}  // namespace

std::span<const Effect> uses() {
    return effects;
}

}  // namespace ctl::verify
