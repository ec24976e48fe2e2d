// Starting it and talking to it.
#include "side.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "serve.h"
#include "tree.h"

namespace differential {
namespace {

constexpr int patience = 60'000;  // Milliseconds.

}  // namespace

Side::Side(std::string top, std::vector<std::string> command) : top_(std::move(top)) {
    int down[2];
    int up[2];
    if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
        std::vector<char*> arguments;
        for (std::string& word : command) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        ::setpgid(0, 0);
        if (::dup2(down[0], STDIN_FILENO) < 0 || ::dup2(up[1], STDOUT_FILENO) < 0 ||
            ::chdir(top_.c_str()) != 0)
            ::_exit(126);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(down[0]);
    ::close(up[1]);
    requests_.reset(down[1]);
    answers_.reset(up[0]);
    greeting_ = receive();
}

Side::~Side() {
    requests_.reset();
    answers_.reset();
    if (process_ <= 0) return;
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
}

std::optional<std::string> Side::receive() {
    pollfd ready = {answers_.get(), POLLIN, 0};
    if (::poll(&ready, 1, patience) <= 0) return std::nullopt;
    return receive_message(answers_.get());
}

std::optional<Record> Side::run(const std::vector<std::string>& lines) {
    std::string request;
    for (const std::string& line : lines) request += line + '\n';
    make_tree(top_);
    std::optional<std::string> answer;
    if (send_message(requests_.get(), request)) answer = receive();
    std::optional<Record> record;
    if (answer) {
        record.emplace();
        for (std::size_t at = 0; at < answer->size();) {
            const std::size_t end = answer->find('\0', at);
            record->results.push_back(answer->substr(at, end - at));
            at = end == std::string::npos ? answer->size() : end + 1;
        }
        record->tree = describe_tree(top_);
    }
    remove_tree(top_);
    return record;
}

}  // namespace differential
