// The side of an effect that runs inside.
#include "ctl/verify/attempt.h"

#include <unistd.h>

#include <cerrno>

#include "ctl/verify/battery.h"

namespace ctl::verify {

int outcome_of(long result) {
    return result < 0 ? errno : 0;
}

int show(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

int show_content(int descriptor) {
    if (descriptor < 0) return errno;
    char buffer[4096];
    ssize_t count;
    while ((count = read(descriptor, buffer, sizeof buffer)) > 0)
        show({buffer, static_cast<std::size_t>(count)});
    return outcome_of(count);
}

int hold(pid_t process) {
    show(std::string(holding_line) + std::to_string(process) + "\n");
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) {
    }
    return 0;
}

int attempt(const std::vector<std::string>& words) {
    if (words.empty()) return 255;
    if (words[0] == wait_name) return hold(getpid());
    for (const Family& family : battery()) {
        for (const Effect& effect : family.effects) {
            if (effect.id != words[0] || effect.attempt == nullptr) continue;
            if (const int error = show(began_line)) return error;
            return effect.attempt({words.begin() + 1, words.end()});
        }
    }
    return 255;
}

}  // namespace ctl::verify
