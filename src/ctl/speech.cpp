// What sbxctl prints.
#include "ctl/speech.h"

#include <unistd.h>

#include <cerrno>

#include "report/sanitise.h"

namespace ctl {
namespace {

constexpr std::size_t longest = 4000;

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

int print(std::string_view text) {
    return write_all(STDOUT_FILENO, text) ? 0 : 1;
}

int misuse(const std::string& what) {
    write_all(STDERR_FILENO, "sbxctl: " + shown(what) + "\n  = help: see sbxctl --help\n");
    return 2;
}

int quit(const core::Error& error) {
    std::string text = "sbxctl: " + shown(error.message()) + "\n";
    if (!error.remedy.empty()) text += "  = help: " + shown(error.remedy) + "\n";
    write_all(STDERR_FILENO, text);
    return 125;
}

std::string shown(std::string_view text) {
    return report::sanitise(text, longest);
}

}  // namespace ctl
