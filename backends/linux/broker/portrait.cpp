// Process descriptions from /proc.
#include "linux/broker/portrait.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "linux/broker/broker.h"
#include "linux/broker/membership.h"

namespace linux_backend {
namespace {

constexpr std::size_t command_line_limit = 4096;
constexpr std::size_t argument_limit = 64;
constexpr std::size_t ancestor_limit = 32;

std::string read_proc(pid_t pid, const char* what) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
    const os::Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
    std::string text(command_line_limit, '\0');
    const ssize_t size = fd ? ::read(fd.get(), text.data(), text.size()) : 0;
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
}

std::vector<std::string> split_arguments(std::string_view text) {
    std::vector<std::string> arguments;
    while (!text.empty() && arguments.size() < argument_limit) {
        const std::size_t end = text.find('\0');
        arguments.emplace_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return arguments;
}

/// Runs the interpreter's file with the arguments that the caller gave: the interpreter itself, or
/// a fork of it that has executed nothing else, not even a script for the same shell.
bool is_shell(pid_t pid, const Start& start) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/exe", pid);
    struct stat status;
    if (::stat(path, &status) != 0) return false;
    if (!(policy::FileId{status.st_dev, status.st_ino} == start.interpreter_file)) return false;
    std::string arguments;
    for (const std::string& argument : start.interpreter_arguments) {
        arguments.append(argument).push_back('\0');
        if (arguments.size() > command_line_limit) break;
    }
    return read_proc(pid, "cmdline") == arguments.substr(0, command_line_limit);
}

}  // namespace

report::Process portrait(pid_t pid) {
    report::Process process;
    process.pid = pid;
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/exe", pid);
    char text[PATH_MAX];
    const ssize_t size = ::readlink(path, text, sizeof text);
    if (size > 0) process.program.assign(text, static_cast<std::size_t>(size));
    process.argv = split_arguments(read_proc(pid, "cmdline"));
    return process;
}

void draw(const Caller& caller, const Start& start, report::Denial& denial) {
    const pid_t self = caller.process();
    denial.process = portrait(self);
    denial.by_shell = is_shell(self, start);
    ProcessStat stat;
    pid_t pid = self;
    while (pid != start.interpreter && denial.between.size() < ancestor_limit &&
           read_process_stat(pid, stat)) {
        pid = stat.parent;
        if (pid <= 1 || pid == start.interpreter || pid == ::getpid()) break;
        denial.between.push_back(portrait(pid));
    }
}

}  // namespace linux_backend
