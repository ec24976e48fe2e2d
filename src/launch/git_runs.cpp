// Reads the configurations for names of programs and files.
#include "launch/git_runs.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "launch/canonical.h"
#include "launch/git_directory.h"
#include "os/tree.h"
#include "policy/git_config.h"

namespace launch {
namespace {

constexpr unsigned include_depth = 5;

/// Keys whose value is, or begins with, a program or a file that programs are named in: the first
/// part and the last part of the key.
struct RunningKey {
    std::string_view section;
    std::string_view name;
};
constexpr std::array running_keys{
    RunningKey{"core", "fsmonitor"},  RunningKey{"core", "sshcommand"},
    RunningKey{"core", "pager"},      RunningKey{"core", "editor"},
    RunningKey{"core", "askpass"},    RunningKey{"core", "gitproxy"},
    RunningKey{"sequence", "editor"}, RunningKey{"diff", "external"},
    RunningKey{"filter", "clean"},    RunningKey{"filter", "smudge"},
    RunningKey{"filter", "process"},  RunningKey{"diff", "command"},
    RunningKey{"diff", "textconv"},   RunningKey{"merge", "driver"},
    RunningKey{"alias", ""},          RunningKey{"credential", "helper"},
    RunningKey{"gpg", "program"},     RunningKey{"difftool", "cmd"},
    RunningKey{"mergetool", "cmd"},   RunningKey{"pager", ""},
    RunningKey{"hook", "command"},    RunningKey{"core", "attributesfile"},
};

bool names_program(std::string_view key) {
    const std::string_view section = key.substr(0, key.find('.'));
    const std::string_view name = key.substr(key.rfind('.') + 1);
    return std::any_of(running_keys.begin(), running_keys.end(), [&](const RunningKey& known) {
        return known.section == section && (known.name.empty() || known.name == name);
    });
}

bool is_include(std::string_view key) {
    return key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path"));
}

class Collector {
  public:
    Collector(const std::string& workspace, const std::string& home)
        : workspace_(workspace), home_(home) {}

    void read(const std::string& file, unsigned depth) {
        add_target(file);
        const auto text = os::read_regular_file(file, policy::git_config_limit, os::Links::follow);
        if (!text) return;
        const auto settings = policy::parse_git_config(*text);
        if (!settings) return;
        const std::string directory = file.substr(0, file.rfind('/'));
        for (const policy::GitSetting& setting : *settings) {
            if (setting.key == "core.hookspath") add(setting.value, workspace_);
            if (names_program(setting.key)) add_words(setting.value);
            if (!is_include(setting.key)) continue;
            const std::string included = absolute(setting.value, directory);
            add(included, directory);
            if (depth > 0) read(included, depth - 1);
        }
    }

    /// What `path` leads to, when it is a symbolic link.
    void add_target(const std::string& path) {
        char target[1];
        if (::readlink(path.c_str(), target, sizeof target) > 0) add(path, workspace_);
    }

    std::vector<std::string> result() && {
        std::sort(paths_.begin(), paths_.end());
        paths_.erase(std::unique(paths_.begin(), paths_.end()), paths_.end());
        return std::move(paths_);
    }

  private:
    std::string absolute(std::string_view path, const std::string& base) const {
        if (path.starts_with("~/")) return home_ + std::string(path.substr(1));
        if (path.starts_with('/')) return std::string(path);
        return base + "/" + std::string(path);
    }

    void add(std::string_view path, const std::string& base) {
        const std::string whole = absolute(path, base);
        if (auto found = canonical(whole)) paths_.push_back(*std::move(found));
    }

    /// The words of a command that are programs: paths of files, at its head or executable.
    void add_words(std::string_view command) {
        constexpr std::string_view separators = " \t\n!\"'();|&<>";
        std::size_t at = 0;
        for (unsigned number = 0; at < command.size(); ++number) {
            const std::size_t begin = command.find_first_not_of(separators, at);
            if (begin == command.npos) return;
            at = std::min(command.find_first_of(separators, begin), command.size());
            const std::string_view word = command.substr(begin, at - begin);
            if (word.find('/') != word.npos && is_program(absolute(word, workspace_), number))
                add(word, workspace_);
        }
    }

    /// The first word is run, or runs the second.
    static bool is_program(const std::string& path, unsigned number) {
        struct stat status;
        return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
               (number <= 1 || (status.st_mode & 0111) != 0);
    }

    const std::string& workspace_;
    const std::string& home_;
    std::vector<std::string> paths_;
};

}  // namespace

std::vector<std::string> what_git_runs(const std::string& git_directory,
                                       const std::string& workspace, const std::string& home,
                                       const std::vector<std::string>& user_configs) {
    if (git_directory.empty() || workspace.empty()) return {};
    Collector collector(workspace, home);
    const std::string common = shared_git_directory(git_directory);
    for (const std::string& file : user_configs) collector.read(file, include_depth);
    collector.read(common + "/config", include_depth);
    collector.read(git_directory + "/config.worktree", include_depth);
    const std::string hooks = common + "/hooks";
    collector.add_target(hooks);
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(hooks.c_str()), ::closedir);
    while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr) {
        if (entry->d_type == DT_LNK) collector.add_target(hooks + "/" + entry->d_name);
    }
    return std::move(collector).result();
}

}  // namespace launch
