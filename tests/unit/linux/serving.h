// Serves calls in a test as the broker would, with this very thread as their caller.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "linux/syscalls.h"
#include "os/tree.h"
#include "policy/load.h"

namespace serving {

class NoListener final : public linux_backend::Listener {
  public:
    Received receive(seccomp_notif&) override { return Received::nothing; }
    bool waiting(int) override { return false; }
    bool valid(std::uint64_t) override { return true; }
    bool send(std::uint64_t, linux_backend::Answer) override { return true; }
};

class NoSurroundings final : public policy::Surroundings {
  public:
    Resolved resolve(const std::string&) const override { return {}; }
    bool has_ignore_files(const std::string&) const override { return false; }
};

/// A directory that goes with the test: "w" is the workspace, "t" the place for temporary files,
/// "o" is outside.
class Folder {
  public:
    Folder() {
        char name[] = "/tmp/serving_test_XXXXXX";
        path_ = mkdtemp(name);
        for (const char* part : {"/w", "/t", "/o", "/home"})
            std::filesystem::create_directory(path_ + part);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator()(const std::string& name) const { return path_ + "/" + name; }
    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = (*this)(name);
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    void directory(const std::string& name) const {
        std::filesystem::create_directories((*this)(name));
    }
    std::string read(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream((*this)(name)).rdbuf();
        return text.str();
    }
    bool exists(const std::string& name) const {
        return std::filesystem::exists(std::filesystem::symlink_status((*this)(name)));
    }

  private:
    std::string path_;
};

/// A broker with the built-in policy for a Folder.
class Sandbox {
  public:
    explicit Sandbox(const Folder& folder)
        : plan_{.policy = load(folder)},
          broker_(plan_, tree_, linux_backend::Start{::getpid(), 022, {}, {}, {}}, "", {}) {
        broker_.attach(std::make_unique<NoListener>(), {});
    }

    /// Makes the call; 0 or its value, or the negative errno.
    template <class... Arguments>
    long call(int number, Arguments... arguments) {
        return finish(answer(number, arguments...));
    }

    /// The same for a call that opens something.
    template <class... Arguments>
    linux_backend::Answer answer(int number, Arguments... arguments) {
        broker_.pointers().settle();
        seccomp_notif notification = {};
        notification.id = 1;
        notification.pid = static_cast<__u32>(::syscall(SYS_gettid));
        notification.data.nr = number;
        int index = 0;
        ((notification.data.args[index++] = argument(arguments)), ...);
        const linux_backend::SyscallRow& row = linux_backend::syscall_row(number);
        REQUIRE(static_cast<bool>(row.handler));
        return row.handler(linux_backend::Call(broker_, notification, row));
    }

    std::vector<report::Denial> denials() { return broker_.denials().all(); }
    /// "rule: operation object (detail)" of the last refusal; empty when there is none.
    std::string last_refusal() {
        const auto all = denials();
        if (all.empty()) return {};
        const report::Denial& last = all.back();
        const std::string text = last.rule + ": " + last.operation + " " + last.object;
        return last.detail.empty() ? text : text + " (" + last.detail + ")";
    }
    linux_backend::Broker& broker() { return broker_; }

  private:
    static std::uint64_t argument(const std::string& text) {
        return reinterpret_cast<std::uint64_t>(text.c_str());
    }
    static std::uint64_t argument(const char* text) {
        return reinterpret_cast<std::uint64_t>(text);
    }
    static std::uint64_t argument(long number) { return static_cast<std::uint64_t>(number); }
    static std::uint64_t argument(int number) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    }
    static std::uint64_t argument(unsigned number) { return number; }

    static long finish(const linux_backend::Answer& answer) {
        using Kind = linux_backend::Answer::Kind;
        REQUIRE((answer.kind == Kind::value || answer.kind == Kind::error));
        return answer.kind == Kind::value ? answer.number : -answer.error_number;
    }

    static policy::Policy load(const Folder& folder) {
        policy::Variables variables;
        variables.workspace = folder("w");
        variables.temporary = {folder("t")};
        variables.homes = {folder("home")};
        variables.cache = folder("home/.cache");
        variables.config = folder("home/.config");
        variables.data = folder("home/.local/share");
        variables.state = folder("home/.local/state/sbxsh");
        auto loaded = policy::load({}, variables, NoSurroundings());
        REQUIRE_MESSAGE(loaded, (loaded ? std::string() : loaded.error().message()));
        return *std::move(loaded);
    }

    launch::Plan plan_;
    os::RealTree tree_;
    linux_backend::Broker broker_;
};

}  // namespace serving
