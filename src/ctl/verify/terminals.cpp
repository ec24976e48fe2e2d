// Effects on terminals.
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <cerrno>
#include <memory>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"

namespace ctl::verify {
namespace {

using policy::Access;

// --- What is tried. ---

int type_into_own(const Arguments&) {
    return outcome_of(call(SYS_ioctl, STDIN_FILENO, TIOCSTI, "x"));
}

int write_to_other(const Arguments& a) {
    return write_text(open_path(a[0], O_WRONLY | O_NOCTTY | O_NONBLOCK), "x");
}

int read_from_other(const Arguments& a) {
    return show_content(open_path(a[0], O_RDONLY | O_NOCTTY | O_NONBLOCK));
}

// --- How it is seen. ---

struct Terminal {
    os::Fd controller, side;
    std::string path;
};

core::Result<std::shared_ptr<Terminal>> make_terminal() {
    int controller = -1, side = -1;
    char path[64] = "";
    if (openpty(&controller, &side, nullptr, nullptr, nullptr) != 0 ||
        ttyname_r(side, path, sizeof path) != 0)
        return core::fail(core::system_error("make", "a terminal"));
    for (const int descriptor : {controller, side}) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    // So that each byte passes as it comes.
    termios mode{};
    tcgetattr(side, &mode);
    cfmakeraw(&mode);
    tcsetattr(side, TCSANOW, &mode);
    return std::make_shared<Terminal>(Terminal{os::Fd(controller), os::Fd(side), path});
}

bool has_input(const os::Fd& terminal) {
    int waiting = 0;
    return ioctl(terminal.get(), FIONREAD, &waiting) == 0 && waiting > 0;
}

core::Result<Stage> own_terminal(Ground&) {
    const auto terminal = make_terminal();
    if (!terminal) return core::fail(terminal.error());
    Stage stage;
    stage.terminal = (*terminal)->side.get();
    stage.happened = [kept = *terminal](const Seen&) { return has_input(kept->side); };
    return stage;
}

core::Result<Stage> other_terminal(Ground&) {
    const auto terminal = make_terminal();
    if (!terminal) return core::fail(terminal.error());
    Stage stage;
    stage.arguments = {(*terminal)->path};
    stage.object = (*terminal)->path;
    stage.happened = [kept = *terminal](const Seen& seen) {
        // What was written passes to the controlling side by a worker of the kernel.
        pollfd wait = {kept->controller.get(), POLLIN, 0};
        return poll(&wait, 1, seen.status == 0 ? 1000 : 20) > 0;
    };
    return stage;
}

core::Result<Stage> typed_secret(Ground& ground) {
    const std::string secret = ground.fresh_text();
    const auto terminal = make_terminal();
    if (!terminal) return core::fail(terminal.error());
    if (const int error = write_text((*terminal)->controller.get(), secret))
        return core::fail(core::Error{"type into", (*terminal)->path, error, "", ""});
    pollfd typed = {(*terminal)->side.get(), POLLIN, 0};
    poll(&typed, 1, 1000);
    Stage stage;
    stage.arguments = {(*terminal)->path};
    stage.object = (*terminal)->path;
    stage.happened = [kept = *terminal, secret](const Seen& seen) {
        return seen.output.find(secret) != std::string::npos;
    };
    return stage;
}

constexpr Effect effects[] = {
    {"terminals.type", "type into the own terminal", own_terminal, type_into_own, Access::kernel},
    {"terminals.write", "write to another terminal", other_terminal, write_to_other, Access::write},
    {"terminals.read", "read what is typed into another terminal", typed_secret, read_from_other,
     Access::read},
};

}  // namespace

std::span<const Effect> terminal_effects() {
    return effects;
}

}  // namespace ctl::verify
