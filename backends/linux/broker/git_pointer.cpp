// Drafts of pointer files, and the look at where they lead.
#include "linux/broker/git_pointer.h"

#include <limits.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "linux/broker/broker.h"
#include "linux/broker/checked_copy.h"
#include "linux/broker/identity.h"
#include "linux/broker/names.h"
#include "policy/git_layout.h"

namespace linux_backend {
namespace {

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::string parent_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == 0 || slash == path.npos ? "/" : std::string(path.substr(0, slash));
}

/// The path in a pointer as git takes it: to the end of the last line, and as a C string.
std::string_view named_path(std::string_view content, bool is_git_file) {
    constexpr std::string_view prefix = "gitdir: ";
    if (is_git_file) {
        if (!content.starts_with(prefix)) return {};
        content.remove_prefix(prefix.size());
    }
    while (content.ends_with('\n') || content.ends_with('\r')) content.remove_suffix(1);
    return content.substr(0, content.find('\0'));
}

bool is_repository(const policy::Tree& tree, const std::string& directory) {
    return policy::git_part(tree, directory + "/config") == policy::GitPart::config;
}

void add_parts(std::vector<std::string>& parts, const policy::Tree& tree,
               const std::string& directory, std::string_view workspace) {
    for (const std::string& part : policy::objectionable_parts(tree, directory, {}, workspace))
        parts.push_back(directory + "/" + part);
}

/// Whether anybody can still write to the file behind `reader`, which must be open for reading
/// only.
bool has_writer(int reader) {
    // A lease may be broken while it is held; the default signal for that would end us.
    ::fcntl(reader, F_SETSIG, SIGURG);
    if (::fcntl(reader, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN || errno == EBUSY;
    ::fcntl(reader, F_SETLEASE, F_UNLCK);
    return false;
}

/// A new file without a name, on the file system of `parent`.
os::Fd open_nameless(const os::Fd& parent) {
    os::Fd file(::open(descriptor_link(parent).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return file;
    const std::string name = ".sbxsh-draft-" + std::to_string(::getpid());
    file.reset(::openat(parent.get(), name.c_str(),
                        O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file) ::unlinkat(parent.get(), name.c_str(), 0);
    return file;
}

/// What stands at the pointer's name once the caller has opened it, without its new content.
struct Placed {
    Content content;
    bool created = false;
};

OrErrno<Placed> place_pointer(const PointerOpen& request) {
    Placed placed;
    const int directory = request.parent.get();
    if ((request.flags & O_CREAT) != 0) {
        constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
        const os::Fd made(::openat(directory, request.name.c_str(), flags, request.mode));
        placed.created = static_cast<bool>(made);
        if (made && ::fstat(made.get(), &placed.content.status) != 0) return failed(errno);
        if (made) return placed;
        if (errno != EEXIST || (request.flags & O_EXCL) != 0) return failed(errno);
    }
    const auto mode = static_cast<int>(request.flags & O_ACCMODE);
    const os::Fd file(::openat(directory, request.name.c_str(),
                               mode | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file) return failed(errno);
    if (::fstat(file.get(), &placed.content.status) != 0) return failed(errno);
    if (!S_ISREG(placed.content.status.st_mode)) return failed(EACCES);
    if ((request.flags & O_TRUNC) != 0) return placed;
    auto content = read_content(directory, request.name, git_pointer_limit);
    if (!content) return failed(content.error());
    placed.content = *std::move(content);
    return placed;
}

}  // namespace

std::optional<std::string> follow_git_pointer(const std::string& path, std::string_view content) {
    const std::string named(named_path(content, last_part(path) == ".git"));
    if (named.empty()) return std::nullopt;
    const std::string whole = named.front() == '/' ? named : parent_of(path) + "/" + named;
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(whole.c_str(), nullptr), ::free);
    if (!real) return std::nullopt;
    return std::string(real.get());
}

std::vector<std::string> pointer_objections(const policy::Tree& tree, const std::string& path,
                                            std::string_view content,
                                            const std::optional<std::string>& target,
                                            std::string_view workspace) {
    const std::string_view name = last_part(path);
    if (!target || name == "gitdir" || !is_repository(tree, *target)) return {};
    const std::string directory = parent_of(path);
    const bool named_by_git = policy::is_git_dir_name(name == ".git" ? *target : directory);
    if (named_by_git && policy::git_pointer_target(directory, content) == target &&
        policy::is_trusted_pointer(tree, path, content))
        return {};
    std::vector<std::string> parts;
    add_parts(parts, tree, *target, workspace);
    // A worktree's config is that of its common directory.
    const std::string common_file = *target + "/commondir";
    if (const auto text = tree.content(common_file, git_pointer_limit)) {
        const auto common = policy::git_pointer_target(*target, *text);
        if (common && *common != *target) add_parts(parts, tree, *common, workspace);
    }
    return parts;
}

Answer PointerDrafts::open(const PointerOpen& request, report::Denial refusal) {
    {
        const std::scoped_lock hold(lock_);
        if (drafts_.size() >= limit) return Answer::error(EAGAIN);
    }
    const auto placed = place_pointer(request);
    if (!placed) return Answer::error(placed.error());
    os::Fd file = open_nameless(request.parent);
    if (!file) return Answer::error(errno);
    const std::string& text = placed->content.text;
    if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return Answer::error(EIO);
    constexpr std::uint64_t settled = O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW | O_DIRECTORY;
    const std::string link = descriptor_link(file);
    os::Fd writer(::open(link.c_str(), static_cast<int>(request.flags & ~settled) | O_CLOEXEC));
    os::Fd reader(::open(link.c_str(), O_RDONLY | O_CLOEXEC));
    if (!writer || !reader) return Answer::error(errno);
    ::fchmod(file.get(), placed->content.status.st_mode & 0777);
    const std::string reader_link = descriptor_link(reader);
    // From here on the caller is the only writer.
    file.reset();

    Draft draft;
    draft.parent.reset(::fcntl(request.parent.get(), F_DUPFD_CLOEXEC, 0));
    if (!draft.parent) return Answer::error(errno);
    draft.name = request.name;
    draft.content = std::move(reader);
    draft.placed = {placed->content.status.st_dev, placed->content.status.st_ino};
    draft.created = placed->created;
    draft.refusal = std::move(refusal);
    const std::scoped_lock hold(lock_);
    if (!closings_) watch();
    if (closings_) ::inotify_add_watch(closings_.get(), reader_link.c_str(), IN_CLOSE_WRITE);
    drafts_.push_back(std::move(draft));
    pending_.store(static_cast<int>(drafts_.size()), std::memory_order_release);
    return Answer::descriptor(std::move(writer), (request.flags & O_CLOEXEC) != 0);
}

bool PointerDrafts::any_complete() {
    const std::scoped_lock hold(lock_);
    return std::any_of(drafts_.begin(), drafts_.end(),
                       [](const Draft& draft) { return !has_writer(draft.content.get()); });
}

void PointerDrafts::settle_pending() {
    if (!any_complete()) return;
    restore_own_identity();
    const NamesHold names(broker_, Hold::alone);
    const std::scoped_lock hold(lock_);
    std::vector<Draft> open;
    for (Draft& draft : drafts_) {
        if (has_writer(draft.content.get())) {
            open.push_back(std::move(draft));
        } else {
            finish(std::move(draft));
        }
    }
    drafts_ = std::move(open);
    pending_.store(static_cast<int>(drafts_.size()), std::memory_order_release);
}

void PointerDrafts::finish(Draft draft) {
    struct stat status;
    const int parent = draft.parent.get();
    if (::fstatat(parent, draft.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    // Removed or replaced meanwhile: natively the writer would have written to what is gone.
    if (policy::FileId{status.st_dev, status.st_ino} != draft.placed) return;
    const std::string path = descriptor_path(parent) + "/" + draft.name;
    const auto content = read_content(draft.content.get(), git_pointer_limit);
    std::vector<std::string> objections{"too long"};
    if (content)
        objections = pointer_objections(broker_.tree(), path, content->text,
                                        follow_git_pointer(path, content->text),
                                        broker_.policy().workspace());
    if (objections.empty()) {
        const bool unchanged = draft.created && content->text.empty();
        if (unchanged || install_copy(parent, draft.name, *content)) return;
        objections = {"it could not be put in place"};
    }
    if (draft.created) ::unlinkat(parent, draft.name.c_str(), 0);
    draft.refusal.detail = objections.front();
    if (objections.size() > 1)
        draft.refusal.detail += " and " + std::to_string(objections.size() - 1) + " more";
    broker_.denials().add(std::move(draft.refusal));
}

void PointerDrafts::watch() {
    closings_.reset(::inotify_init1(IN_CLOEXEC));
    if (!closings_) return;
    try {
        std::thread([this, events = closings_.get()] {
            std::array<char, 4096> buffer;
            while (::read(events, buffer.data(), buffer.size()) > 0 || errno == EINTR) settle();
        }).detach();
    } catch (const std::system_error&) {
        // Without a thread, the next call settles it.
    }
}

}  // namespace linux_backend
