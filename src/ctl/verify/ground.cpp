// The directories that the battery plays in.
#include "ctl/verify/ground.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "ctl/verdict.h"
#include "ctl/verify/administrator.h"
#include "launch/canonical.h"
#include "os/tree.h"

namespace ctl::verify {
namespace {

constexpr std::size_t content_limit = 1 << 20;

/// Whether the built-in policy, alone, lets the sandbox write below `directory`.
bool is_writable_inside(const std::string& directory, const launch::Environment& environment) {
    launch::Options options;
    options.workspace = directory + "/workspace";
    const auto loaded = launch::load_policy(options, environment, without_administrator());
    if (!loaded) return true;
    const auto verdict =
        judge(loaded->policy, policy::Access::write, directory + "/outside/x", directory);
    return !verdict || verdict->decision.allowed();
}

std::string random_digits() {
    unsigned char bytes[8];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return "0";
    std::string digits;
    for (const unsigned char byte : bytes) {
        digits += "0123456789abcdef"[byte >> 4];
        digits += "0123456789abcdef"[byte & 15];
    }
    return digits;
}

}  // namespace

core::Result<std::unique_ptr<Ground>> Ground::lay_out(const std::vector<std::string>& places,
                                                      std::string_view path) {
    core::Error error{"make a directory to play in", "", 0, "no place was given",
                      "make /var/tmp or your home writable"};
    for (const std::string& place : places) {
        if (place.empty()) continue;
        std::string name = place + "/sbxctl-verify.XXXXXX";
        error.object = place;
        if (mkdtemp(name.data()) == nullptr) {
            error.code = errno;
            error.detail.clear();
            continue;
        }
        std::unique_ptr<Ground> ground(new Ground(launch::canonical(name).value_or(name)));
        for (const char* part : {"/home", "/home/.ssh", "/workspace", "/outside"})
            mkdir((ground->base_ + part).c_str(), 0700);
        ground->environment_ = {"PATH=" + std::string(path), "HOME=" + ground->home_, "LC_ALL=C",
                                "SBXSH_DIAGNOSTICS=text"};
        if (auto made = ground->renew_workspace(); !made) return core::fail(made.error());
        if (!is_writable_inside(ground->base_, ground->environment_)) return ground;
        error.detail = "the sandbox may write there";
    }
    return core::fail(std::move(error));
}

Ground::Ground(std::string base)
    : base_(std::move(base)),
      home_(base_ + "/home"),
      workspace_(base_ + "/workspace"),
      random_(random_digits()) {}

Ground::~Ground() {
    if (chdir("/") == 0) remove_all(base_);
}

std::string Ground::fresh_text() {
    return "verify-" + random_ + "-" + std::to_string(++count_);
}

std::string Ground::outside() {
    std::string directory = base_ + "/outside/" + std::to_string(++count_);
    mkdir(directory.c_str(), 0700);
    return directory;
}

core::Result<void> Ground::renew_workspace() {
    remove_all(workspace_);
    for (const char* part : {"", "/.git", "/.git/hooks", "/.git/info", "/.git/objects",
                             "/.git/refs", "/.git/refs/heads", "/scratch"}) {
        if (mkdir((workspace_ + part).c_str(), 0700) != 0)
            return core::fail(core::system_error("make", workspace_ + part));
    }
    const std::pair<const char*, const char*> files[] = {
        {"/.git/HEAD", "ref: refs/heads/main\n"},
        {"/.git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"},
        {"/ordinary", "ordinary text\n"}};
    for (const auto& [name, text] : files) {
        if (auto written = write_file(workspace_ + name, text); !written) return written;
    }
    return {};
}

core::Result<void> write_file(const std::string& path, std::string_view text, mode_t mode) {
    const os::Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
    if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return core::fail(core::system_error("write", path));
    return {};
}

std::string content_of(const std::string& path) {
    return os::read_regular_file(path, content_limit, os::Links::refuse).value_or("");
}

void remove_all(const std::string& path) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

}  // namespace ctl::verify
