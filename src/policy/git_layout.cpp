// Names first, the tree only where the last components leave it open.
#include "policy/git_layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "policy/git_config.h"
#include "policy/git_values.h"

namespace policy {
namespace {

using Kind = Tree::Kind;

constexpr std::size_t pointer_limit = 4096 + sizeof("gitdir: ");

constexpr std::array<std::string_view, 28> hook_names = {"applypatch-msg",
                                                         "commit-msg",
                                                         "fsmonitor-watchman",
                                                         "p4-changelist",
                                                         "p4-post-changelist",
                                                         "p4-pre-submit",
                                                         "p4-prepare-changelist",
                                                         "post-applypatch",
                                                         "post-checkout",
                                                         "post-commit",
                                                         "post-index-change",
                                                         "post-merge",
                                                         "post-receive",
                                                         "post-rewrite",
                                                         "post-update",
                                                         "pre-applypatch",
                                                         "pre-auto-gc",
                                                         "pre-commit",
                                                         "pre-merge-commit",
                                                         "pre-push",
                                                         "pre-rebase",
                                                         "pre-receive",
                                                         "prepare-commit-msg",
                                                         "proc-receive",
                                                         "push-to-checkout",
                                                         "reference-transaction",
                                                         "sendemail-validate",
                                                         "update"};

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

// The path without its last component; empty for a child of "/".
std::string_view parent(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string child(std::string_view directory, std::string_view name) {
    std::string path;
    path.reserve(directory.size() + name.size() + 1);
    path += directory;
    path += '/';
    path += name;
    return path;
}

// A file or symbolic link: a directory does for neither HEAD nor commondir.
bool holds_file(const Tree& tree, std::string_view directory, std::string_view name) {
    const Kind kind = tree.kind(child(directory, name));
    return kind == Kind::file || kind == Kind::other;
}

// git only asks whether objects and refs can be searched, so a link or an executable file does too.
bool holds(const Tree& tree, std::string_view directory, std::string_view name) {
    return tree.kind(child(directory, name)) != Kind::absent;
}

bool holds_repository(const Tree& tree, std::string_view directory) {
    if (holds(tree, directory, "objects") &&
        (holds(tree, directory, "refs") || holds(tree, directory, "reftable"))) {
        return true;
    }
    return holds_file(tree, directory, "commondir") && holds_file(tree, directory, "HEAD");
}

constexpr std::string_view modules = "/.git/modules/";

bool is_below_modules(std::string_view path) {
    return path.find(modules) != std::string_view::npos && !path.ends_with(modules);
}

bool is_common_dir(const Tree& tree, std::string_view path) {
    return last_part(path) == ".git" || is_below_modules(path) || holds_repository(tree, path);
}

// X of X/worktrees/NAME; nothing for another path.
std::optional<std::string_view> worktree_owner(std::string_view path) {
    const std::string_view list = parent(path);
    if (last_part(list) != "worktrees" || last_part(path).empty()) return std::nullopt;
    return parent(list);
}

bool is_git_dir(const Tree& tree, std::string_view path) {
    if (path.empty()) return holds_repository(tree, path);
    if (last_part(path) == ".git") return true;
    if (const auto owner = worktree_owner(path); owner && is_common_dir(tree, *owner)) return true;
    if (holds_repository(tree, path)) return true;
    // "modules/a" is a submodule's, or only the folder of "modules/a/b": once it exists its content
    // tells.
    return is_below_modules(path) && tree.kind(path) == Kind::absent;
}

// Positions of the components called "hooks" from `from` on.
std::size_t find_hooks(std::string_view path, std::size_t from) {
    constexpr std::string_view name = "/hooks";
    while (true) {
        const std::size_t at = path.find(name, from);
        if (at == std::string_view::npos) return at;
        const std::size_t end = at + name.size();
        if (end == path.size() || path[end] == '/') return at;
        from = end;
    }
}

GitPart part_by_last_name(std::string_view name) {
    switch (name.size()) {
        case 6:
            if (name == "config") return GitPart::config;
            return name == "gitdir" ? GitPart::pointer : GitPart::none;
        case 9:
            return name == "commondir" ? GitPart::pointer : GitPart::none;
        case 10:
            return name == "attributes" ? GitPart::attributes : GitPart::none;
        case 15:
            return name == "config.worktree" ? GitPart::config : GitPart::none;
        default:
            return GitPart::none;
    }
}

bool is_hook(const Tree& tree, std::string_view path) {
    for (std::size_t at = find_hooks(path, 0); at != std::string_view::npos;
         at = find_hooks(path, at + 1)) {
        const bool sample = path.ends_with(".sample") && path.rfind('/') == at + 6;
        if (!sample && is_git_dir(tree, path.substr(0, at))) return true;
    }
    return false;
}

void add_unsafe_keys(std::vector<std::string>& parts, const Tree& tree, std::string_view git_dir,
                     std::string_view name, const std::vector<std::string>& extra,
                     std::string_view workspace) {
    const std::string path = child(git_dir, name);
    if (tree.kind(path) == Kind::absent) return;
    const std::string prefix = std::string(name) + ": ";
    const std::optional<std::string> text = tree.content(path, git_config_limit);
    if (text) {
        if (const auto settings = parse_git_config(*text)) {
            const auto keys = unsafe_git_changes({}, *settings, extra, git_dir, workspace);
            for (const std::string& key : keys) parts.push_back(prefix + key);
            return;
        }
    }
    parts.push_back(prefix + "unreadable");
}

void add_commondir(std::vector<std::string>& parts, const Tree& tree, std::string_view git_dir) {
    const std::string path = child(git_dir, "commondir");
    if (tree.kind(path) == Kind::absent) return;
    const std::string content = tree.content(path, pointer_limit).value_or("");
    if (is_trusted_pointer(tree, path, content)) return;
    parts.push_back("commondir: " + git_pointer_target(git_dir, content).value_or("unreadable"));
}

void add_hooks(std::vector<std::string>& parts, const Tree& tree, std::string_view git_dir) {
    const std::string hooks = child(git_dir, "hooks");
    const Kind kind = tree.kind(hooks);
    if (kind == Kind::absent) return;
    if (kind != Kind::directory) {
        parts.emplace_back("hooks: not a directory");
        return;
    }
    for (const std::string_view name : hook_names) {
        if (holds(tree, hooks, name)) parts.push_back("hooks/" + std::string(name));
    }
}

constexpr std::string_view file_prefix = "gitdir: ";

// The directory whose files a git directory's `git_dir` work tree holds, by what git writes; empty
// when unknown.
std::string work_tree(const Tree& tree, std::string_view git_dir) {
    if (last_part(git_dir) == ".git") return std::string(parent(git_dir));
    if (!worktree_owner(git_dir)) return {};
    const auto content = tree.content(child(git_dir, "gitdir"), pointer_limit);
    const auto target = content ? git_pointer_target(git_dir, *content) : std::nullopt;
    return target && last_part(*target) == ".git" ? std::string(parent(*target)) : std::string();
}

bool is_worktree_file(const Tree& tree, std::string_view path, const std::string& target) {
    const auto owner = worktree_owner(target);
    if (!owner || !is_common_dir(tree, *owner)) return false;
    const auto back = tree.content(child(target, "gitdir"), pointer_limit);
    return back && git_pointer_target(target, *back) == path;
}

bool is_submodule_file(const Tree& tree, std::string_view path, std::string_view target) {
    constexpr std::string_view name = "/modules/";
    for (std::size_t at = target.find(name); at != std::string_view::npos;
         at = target.find(name, at + 1)) {
        const std::string_view owner = target.substr(0, at);
        if (at + name.size() == target.size() || !is_git_dir(tree, owner)) continue;
        const std::string root = work_tree(tree, owner);
        const std::string_view holder = parent(path);
        if (!root.empty() && holder != root && is_within(holder, root)) return true;
    }
    return false;
}

}  // namespace

GitPart git_part(const Tree& tree, std::string_view path) {
    if (!path.starts_with('/')) return GitPart::none;
    if (path.ends_with("/.git")) {
        return tree.kind(path) == Kind::directory ? GitPart::none : GitPart::pointer;
    }
    const std::string_view directory = parent(path);
    const GitPart part = part_by_last_name(last_part(path));
    if (part == GitPart::attributes) {
        if (last_part(directory) == "info" && is_git_dir(tree, parent(directory))) return part;
    } else if (part != GitPart::none && is_git_dir(tree, directory)) {
        return part;
    }
    return is_hook(tree, path) ? GitPart::hook : GitPart::none;
}

std::optional<std::string> completes_git_dir(const Tree& tree, std::string_view path, Kind kind) {
    const std::string_view name = last_part(path);
    const std::string_view directory = parent(path);
    if (kind == Kind::absent || !path.starts_with('/')) return std::nullopt;
    const bool is_file = kind != Kind::directory;
    bool completes = false;
    if (name == "objects") {
        completes = holds(tree, directory, "refs") || holds(tree, directory, "reftable");
    } else if (name == "refs" || name == "reftable") {
        completes = holds(tree, directory, "objects");
    } else if (name == "HEAD") {
        completes = is_file && holds_file(tree, directory, "commondir");
    } else if (name == "commondir") {
        completes = is_file && holds_file(tree, directory, "HEAD");
    }
    if (!completes || is_git_dir(tree, directory)) return std::nullopt;
    return directory.empty() ? "/" : std::string(directory);
}

bool is_git_dir_name(std::string_view path) {
    if (last_part(path) == ".git" || is_below_modules(path)) return true;
    const auto owner = worktree_owner(path);
    return owner && (last_part(*owner) == ".git" || is_below_modules(*owner));
}

std::optional<std::string> git_pointer_target(std::string_view base, std::string_view content) {
    if (content.size() > pointer_limit) return std::nullopt;
    if (content.starts_with(file_prefix)) content.remove_prefix(file_prefix.size());
    while (content.ends_with('\n') || content.ends_with('\r')) content.remove_suffix(1);
    if (content.empty() || content.find_first_of(std::string_view("\0\n\r", 3)) != content.npos) {
        return std::nullopt;
    }
    std::string target = lexical_path(base, content);
    if (target.empty()) return std::nullopt;
    return target;
}

bool is_trusted_pointer(const Tree& tree, std::string_view pointer_path, std::string_view content) {
    const std::string_view directory = parent(pointer_path);
    const std::string_view name = last_part(pointer_path);
    const auto target = git_pointer_target(directory.empty() ? "/" : directory, content);
    if (!target || content.starts_with(file_prefix) != (name == ".git")) return false;
    if (name == ".git") {
        return is_worktree_file(tree, pointer_path, *target) ||
               is_submodule_file(tree, pointer_path, *target);
    }
    const auto owner = worktree_owner(directory);
    if (!owner || !is_common_dir(tree, *owner)) return false;
    if (name == "commondir") return *target == *owner;
    if (name != "gitdir") return false;
    return target->ends_with("/.git") && tree.kind(*target) != Kind::directory;
}

std::vector<std::string> objectionable_parts(const Tree& tree, std::string_view git_dir,
                                             const std::vector<std::string>& extra,
                                             std::string_view workspace) {
    std::vector<std::string> parts;
    add_unsafe_keys(parts, tree, git_dir, "config", extra, workspace);
    add_unsafe_keys(parts, tree, git_dir, "config.worktree", extra, workspace);
    add_commondir(parts, tree, git_dir);
    add_hooks(parts, tree, git_dir);
    if (holds(tree, git_dir, "info/attributes")) parts.emplace_back("info/attributes");
    return parts;
}

}  // namespace policy
