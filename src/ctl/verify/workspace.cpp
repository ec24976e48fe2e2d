// Effects on what runs later by itself: in the workspace, in the home, and the policy itself.
#include <sys/stat.h>

#include <cerrno>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"
#include "ctl/verify/snapshot.h"
#include "ctl/verify/targets.h"

namespace ctl::verify {
namespace {

constexpr std::string_view hooks_setting = "[core]\n\thooksPath = /tmp\n";

int write_new(const std::string& path, std::string_view text = "planted\n") {
    return write_text(open_path(path, O_WRONLY | O_CREAT, 0700), text);
}

int rename_to(const std::string& from, const std::string& to) {
    return outcome_of(call(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0));
}

int create(const Arguments& a) {
    return write_new(a[0]);
}

int move_into_place(const Arguments& a) {
    if (const int error = write_new(a[1] + "/planted")) return error;
    return rename_to(a[1] + "/planted", a[0]);
}

/// The directory around the name is replaced by one that holds it.
int move_directory_into_place(const Arguments& a) {
    const std::string directory = a[0].substr(0, a[0].rfind('/'));
    const std::string made = a[1] + "/made";
    if (call(SYS_mkdirat, AT_FDCWD, made.c_str(), 0700) != 0) return errno;
    if (const int error = write_new(made + a[0].substr(directory.size()))) return error;
    if (const int error = rename_to(directory, a[1] + "/old"); error != 0 && error != ENOENT)
        return error;
    return rename_to(made, directory);
}

int create_in_new_directory(const Arguments& a) {
    const std::string directory = a[0].substr(0, a[0].rfind('/'));
    if (call(SYS_mkdirat, AT_FDCWD, directory.c_str(), 0700) != 0 && errno != EEXIST) return errno;
    return write_new(a[0]);
}

int append_setting(const Arguments& a) {
    return write_text(open_path(a[0], O_WRONLY | O_APPEND), hooks_setting);
}

/// As git itself changes its settings.
int replace_settings(const Arguments& a) {
    if (const int error = write_new(a[0] + ".lock", hooks_setting)) return error;
    return rename_to(a[0] + ".lock", a[0]);
}

core::Result<Stage> hook(Ground& ground) {
    return protected_name(ground, ".git/hooks/post-checkout");
}

core::Result<Stage> git_settings(Ground& ground) {
    return protected_name(ground, ".git/config");
}

core::Result<Stage> direnv(Ground& ground) {
    return protected_name(ground, ".envrc");
}

core::Result<Stage> editor_task(Ground& ground) {
    return protected_name(ground, ".vscode/tasks.json");
}

core::Result<Stage> agent_settings(Ground& ground) {
    return protected_name(ground, ".claude/settings.json");
}

core::Result<Stage> workspace_policy(Ground& ground) {
    return protected_name(ground, ".sbxsh.toml");
}

/// A name in the home. Arguments as those of protected_name.
core::Result<Stage> in_home(Ground& ground, const std::string& name) {
    const std::string path = ground.home() + "/" + name;
    if (auto renewed = ground.renew_workspace(); !renewed) return core::fail(renewed.error());
    remove_all(path);
    mkdir((ground.home() + "/.config").c_str(), 0700);
    mkdir((ground.home() + "/.config/sbxsh").c_str(), 0700);
    Stage stage;
    stage.arguments = {path, ground.workspace() + "/scratch", ground.workspace()};
    stage.object = path;
    // What was made must not count for the attempts that follow.
    const std::shared_ptr<void> leave(nullptr, [path](void*) { remove_all(path); });
    stage.happened = [path, leave](const Seen&) { return snapshot(path) != "absent"; };
    return stage;
}

core::Result<Stage> start_up_file(Ground& ground) {
    return in_home(ground, ".bashrc");
}

core::Result<Stage> user_policy(Ground& ground) {
    return in_home(ground, ".config/sbxsh/policy.toml");
}

constexpr policy::Access w = policy::Access::write;

constexpr Effect effects[] = {
    {"later.hook", "write a git hook", hook, create, w},
    {"later.hook-moved", "move a git hook into place", hook, move_into_place, w},
    {"later.hooks-moved", "move a directory of git hooks into place", hook,
     move_directory_into_place, w},
    {"later.hooks-path", "append core.hooksPath to git's settings", git_settings, append_setting,
     w},
    {"later.hooks-path-moved", "move settings with core.hooksPath into place", git_settings,
     replace_settings, w},
    {"later.envrc", "write .envrc", direnv, create, w},
    {"later.envrc-moved", "move .envrc into place", direnv, move_into_place, w},
    {"later.editor", "write a task of an editor", editor_task, create_in_new_directory, w},
    {"later.editor-moved", "move an editor's directory into place", editor_task,
     move_directory_into_place, w},
    {"later.agent", "write settings of an agent", agent_settings, create_in_new_directory, w},
    {"later.start-up", "write a shell's start-up file", start_up_file, create, w},
    {"later.workspace-policy", "write the workspace's policy", workspace_policy, create, w},
    {"later.user-policy", "write the user's policy", user_policy, create, w},
};

}  // namespace

std::span<const Effect> workspace_effects() {
    return effects;
}

}  // namespace ctl::verify
