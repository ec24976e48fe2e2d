// One child for each sequence.
#include "serve.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "operation.h"
#include "os/fd.h"
#include "perform.h"

namespace differential {
namespace {

constexpr int result_descriptor = 200;  // Above those of the sequences.

bool send_all(int descriptor, const char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t sent = ::write(descriptor, bytes, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(int descriptor, char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t received = ::read(descriptor, bytes, size);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        bytes += received;
        size -= static_cast<std::size_t>(received);
    }
    return true;
}

std::uint64_t capabilities() {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> sets = {};
    ::syscall(SYS_capget, &header, sets.data());
    return sets[0].effective | std::uint64_t{sets[1].effective} << 32;
}

[[noreturn]] void perform_in_child(const std::string& request, const std::string& top, int result) {
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(null, descriptor);
    ::dup2(result, result_descriptor);
    ::close_range(3, result_descriptor - 1, 0);
    ::close_range(result_descriptor + 1, ~0U, 0);
    std::string text;
    for (const std::string& line : perform(lines_of(request), top)) text += line + '\0';
    send_all(result_descriptor, text.data(), text.size());
    ::_exit(0);
}

std::string answer(const std::string& request, const std::string& top) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) perform_in_child(request, top, ends[1]);
    ::close(ends[1]);
    const os::Fd results(ends[0]);
    std::string text;
    std::vector<char> buffer(1 << 16);
    while (true) {
        const ssize_t size = ::read(results.get(), buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(size));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) text += "the process ended with status " + std::to_string(status) + '\0';
    return text;
}

}  // namespace

bool send_message(int descriptor, const std::string& text) {
    const std::uint64_t size = text.size();
    return send_all(descriptor, reinterpret_cast<const char*>(&size), sizeof size) &&
           send_all(descriptor, text.data(), text.size());
}

std::optional<std::string> receive_message(int descriptor) {
    std::uint64_t size = 0;
    if (!receive_all(descriptor, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
    std::string text(size, '\0');
    if (!receive_all(descriptor, text.data(), size)) return std::nullopt;
    return text;
}

bool keep_capabilities(std::uint64_t kept) {
    for (unsigned long capability = 0; capability <= CAP_LAST_CAP; ++capability)
        if ((kept >> capability & 1) == 0) ::prctl(PR_CAPBSET_DROP, capability);
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> sets = {};
    for (std::size_t i = 0; i < sets.size(); ++i)
        sets[i].effective = sets[i].permitted = static_cast<__u32>(kept >> (32 * i));
    return ::syscall(SYS_capset, &header, sets.data()) == 0 &&
           ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

int serve(const std::string& top) {
    char text[32];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(capabilities()));
    if (!send_message(STDOUT_FILENO, text)) return 1;
    while (const auto request = receive_message(STDIN_FILENO))
        if (!send_message(STDOUT_FILENO, answer(*request, top))) return 1;
    return 0;
}

}  // namespace differential
