// Looks at the content of git configurations and repositories before they come into force.
#include "linux/broker/git_gate.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "launch/git_directory.h"
#include "linux/broker/broker.h"
#include "linux/broker/call.h"
#include "policy/git_config.h"
#include "policy/git_layout.h"

namespace linux_backend::git_gate {
namespace {

using policy::Access;
using policy::Decision;
using Kind = policy::Tree::Kind;

constexpr std::string_view config_rule = "git.config";
constexpr std::string_view hooks_rule = "git.hooks";

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::string parent_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == 0 || slash == path.npos ? "/" : std::string(path.substr(0, slash));
}

/// A few names for a report, the rest counted.
std::string list(const std::vector<std::string>& names) {
    constexpr std::size_t shown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
    return text;
}

/// A regular file as it was read once.
struct Content {
    std::string text;
    struct stat status = {};
};

/// EINVAL for what is no regular file, EFBIG when longer than a config may be.
OrErrno<Content> read_content(int parent, const std::string& name) {
    const os::Fd file(
        ::openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file) return failed(errno);
    Content content;
    if (::fstat(file.get(), &content.status) != 0) return failed(errno);
    if (!S_ISREG(content.status.st_mode)) return failed(EINVAL);
    std::array<char, 16384> buffer;
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed(errno);
        if (got == 0) return content;
        content.text.append(buffer.data(), static_cast<std::size_t>(got));
        if (content.text.size() > policy::git_config_limit) return failed(EFBIG);
    }
}

OrErrno<void> write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(fd, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return failed(errno);
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return {};
}

std::string temporary_name() {
    static std::atomic<unsigned> counter{0};
    char name[64];
    std::snprintf(name, sizeof name, ".sbxsh-%d-%u", static_cast<int>(::getpid()), counter++);
    return name;
}

/// Puts a file that nobody else ever opened in place of `name`.
OrErrno<void> install_copy(int parent, const std::string& name, const Content& content,
                           unsigned flags) {
    const std::string temporary = temporary_name();
    const os::Fd file(::openat(parent, temporary.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) return failed(errno);
    auto done = write_all(file.get(), content.text);
    // Another owner's file becomes the caller's, where it may not give files away.
    if (done && ::fchown(file.get(), content.status.st_uid, content.status.st_gid) != 0 &&
        errno != EPERM)
        done = failed(errno);
    if (done && ::fchmod(file.get(), content.status.st_mode & 0777) != 0) done = failed(errno);
    if (done &&
        ::syscall(SYS_renameat2, parent, temporary.c_str(), parent, name.c_str(), flags) != 0)
        done = failed(errno);
    if (!done) ::unlinkat(parent, temporary.c_str(), 0);
    return done;
}

std::vector<policy::GitSetting> settings_before(const Place& target) {
    const auto content = read_content(target.parent.get(), std::string(last_part(target.path)));
    if (!content) return {};
    auto settings = policy::parse_git_config(content->text);
    if (!settings) return {};
    return *std::move(settings);
}

Answer refuse_config(const Call& call, const Place& target, Decision decision, std::string detail) {
    decision.detail = std::move(detail);
    return call.refuse(decision,
                       Attempt{Access::write, "rename to", target.path, {"--write", target.path}},
                       EACCES);
}

/// The tree as it will be once `path` is there.
class GrownTree final : public policy::Tree {
  public:
    GrownTree(const policy::Tree& before, const std::string& path, Kind kind)
        : before_(before), path_(path), kind_(kind) {}
    Kind kind(std::string_view path) const override {
        return path == path_ ? kind_ : before_.kind(path);
    }
    std::optional<std::string> content(std::string_view path, std::size_t limit) const override {
        return path == path_ ? std::nullopt : before_.content(path, limit);
    }

  private:
    const policy::Tree& before_;
    const std::string& path_;
    Kind kind_;
};

/// The caller may hold a config open for writing since before it had any meaning.
OrErrno<void> renew_configs(const std::string& directory) {
    const os::Fd parent(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!parent) return failed(errno);
    for (const char* name : {"config", "config.worktree"}) {
        const auto content = read_content(parent.get(), name);
        // What cannot be read is objected to, if it is there.
        if (!content) continue;
        if (auto done = install_copy(parent.get(), name, *content, 0); !done) return done;
    }
    return {};
}

/// "config: core.pager" → "config".
std::string file_of(const std::string& part) {
    return part.substr(0, part.find(':'));
}

/// The first refusal that the policy has for one of `parts`, with those parts as its detail.
std::optional<Decision> decide_on_parts(const Call& call, const policy::Tree& after,
                                        const std::string& directory,
                                        const std::vector<std::string>& parts) {
    std::optional<Decision> refused;
    std::vector<std::string> named;
    for (const std::string& part : parts) {
        Decision decision = call.broker().policy().decide(
            Access::write, directory + "/" + file_of(part), {}, after);
        if (decision.allowed()) continue;
        named.push_back(part);
        if (!refused) refused = std::move(decision);
    }
    if (refused) refused->detail = list(named);
    return refused;
}

bool is_part_of(std::string_view path, const std::string& git_directory) {
    if (!path.starts_with(git_directory)) return false;
    path.remove_prefix(git_directory.size());
    return path == "/config" || path == "/config.worktree" || path == "/info/attributes" ||
           path == "/hooks" || path.starts_with("/hooks/");
}

/// Whether `path` is a part of the repository that the workspace is a tree of.
bool is_own_part(const policy::Policy& policy, std::string_view path) {
    const std::string& workspace = policy.workspace();
    if (workspace.empty()) return false;
    if (is_part_of(path, workspace)) return true;
    const auto own = launch::find_git_directory(workspace);
    if (!own) return false;
    if (is_part_of(path, own->path)) return true;
    return std::any_of(own->roots.begin(), own->roots.end(),
                       [&](const std::string& root) { return is_part_of(path, root); });
}

}  // namespace

bool may_complete(std::string_view path) {
    const std::string_view name = last_part(path);
    return name == "HEAD" || name == "objects" || name == "refs" || name == "reftable" ||
           name == "commondir";
}

std::optional<Answer> refuse_completion(const Call& call, const std::string& path, Kind kind) {
    if (!may_complete(path)) return std::nullopt;
    Broker& broker = call.broker();
    const auto directory = policy::completes_git_dir(broker.tree(), path, kind);
    if (!directory) return std::nullopt;
    if (auto renewed = renew_configs(*directory); !renewed) return Answer::error(renewed.error());
    const auto parts =
        policy::objectionable_parts(broker.tree(), *directory, {}, broker.policy().workspace());
    if (parts.empty()) return std::nullopt;
    const GrownTree after(broker.tree(), path, kind);
    const auto decision = decide_on_parts(call, after, *directory, parts);
    if (!decision) return std::nullopt;
    return call.refuse(
        *decision,
        Attempt{Access::write, "make a git repository of", *directory, {"--write", *directory}},
        EACCES);
}

Answer rename_config(const Call& call, const Place& source, const Place& target,
                     const Decision& decision, unsigned flags) {
    const std::string name(last_part(source.path));
    const auto content = read_content(source.parent.get(), name);
    if (!content) {
        const bool long_one = content.error() == EFBIG;
        return refuse_config(
            call, target, decision,
            long_one ? "more than 1 MiB of configuration" : "no file that could be read");
    }
    const auto after = policy::parse_git_config(content->text);
    if (!after)
        return refuse_config(call, target, decision,
                             "not in git's syntax: " + after.error().object);
    const auto unsafe =
        policy::unsafe_git_changes(settings_before(target), *after, {}, parent_of(target.path),
                                   call.broker().policy().workspace());
    if (!unsafe.empty()) return refuse_config(call, target, decision, list(unsafe));

    const auto installed =
        install_copy(target.parent.get(), std::string(last_part(target.path)), *content, flags);
    if (!installed) return Answer::error(installed.error());
    ::unlinkat(source.parent.get(), name.c_str(), 0);
    return Answer::value(0);
}

bool may_remove(const Call& call, const Decision& decision, std::string_view path) {
    if (!decision.rule->id.starts_with("git.")) return false;
    return !is_own_part(call.broker().policy(), path);
}

bool may_make_directory(const Decision& decision, std::string_view path) {
    return decision.rule->id == hooks_rule && last_part(path) == "hooks";
}

bool may_change_mode(const Decision& decision, const struct stat& status, mode_t mode) {
    constexpr mode_t granting = S_ISUID | S_ISGID | S_ISVTX | S_IWGRP | S_IWOTH;
    return decision.rule->id == config_rule && S_ISREG(status.st_mode) &&
           (mode & granting & ~status.st_mode) == 0;
}

}  // namespace linux_backend::git_gate
