// Pointer files in the making, and the look at where they lead.
#include "linux/broker/git_pointer.h"

#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
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

void add_parts(std::vector<std::string>& parts, const policy::Policy& policy,
               const policy::Tree& tree, const std::string& directory) {
    const auto& keys = policy.settings().git_allowed_config;
    for (const std::string& part :
         policy::objectionable_parts(tree, directory, keys, policy.workspace()))
        parts.push_back(directory + "/" + part);
}

std::vector<std::string> repository_parts(const policy::Policy& policy, const policy::Tree& tree,
                                          const std::string& directory) {
    std::vector<std::string> parts;
    add_parts(parts, policy, tree, directory);
    // A worktree's config is that of its common directory.
    if (const auto text = tree.content(directory + "/commondir", git_pointer_limit)) {
        const auto common = policy::git_pointer_target(directory, *text);
        if (common && *common != directory) add_parts(parts, policy, tree, *common);
    }
    return parts;
}

enum class Writers : std::uint8_t { none, some, unknown };

/// Who can still write to the file behind `reader`, which must be open for reading only.
Writers writers_of(int reader) {
    // A lease may be broken while it is held; the default signal for that would end us.
    ::fcntl(reader, F_SETSIG, SIGURG);
    if (::fcntl(reader, F_SETLEASE, F_RDLCK) != 0)
        return errno == EAGAIN || errno == EBUSY ? Writers::some : Writers::unknown;
    ::fcntl(reader, F_SETLEASE, F_UNLCK);
    return Writers::none;
}

/// Writes `content` into the file behind `reader`, which nobody else has open for writing.
bool restore(int reader, const Content& content) {
    // Readable to nobody until it is whole.
    if (::fchmod(reader, 0200) != 0) return false;
    const std::string link = "/proc/self/fd/" + std::to_string(reader);
    const os::Fd file(::open(link.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    const auto size = static_cast<ssize_t>(content.text.size());
    if (!file || ::write(file.get(), content.text.data(), content.text.size()) != size)
        return false;
    const timespec times[2] = {content.status.st_atim, content.status.st_mtim};
    ::futimens(file.get(), times);
    return ::fchmod(file.get(), content.status.st_mode & 07777) == 0;
}

/// The flags with which the caller's own descriptor is opened once the file is there.
int writer_flags(std::uint64_t flags) {
    constexpr std::uint64_t settled = O_CREAT | O_EXCL | O_TRUNC | O_DIRECTORY;
    return static_cast<int>(flags & ~settled) | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;
}

/// Makes the file when it is asked for and absent; whether it did.
OrErrno<bool> create_file(const PointerOpen& request) {
    if ((request.flags & O_CREAT) == 0) return false;
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const os::Fd made(::openat(request.parent.get(), request.name.c_str(), flags, request.mode));
    if (made) return true;
    if (errno != EEXIST || (request.flags & O_EXCL) != 0) return failed(errno);
    return false;
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

PointerVerdict judge_pointer(const policy::Policy& policy, const policy::Tree& tree,
                             const Pointer& pointer) {
    const std::string_view name = last_part(pointer.path);
    const bool is_git_file = name == ".git";
    const std::string_view named = named_path(pointer.content, is_git_file);
    // git takes no other content for a pointer; what "gitdir" names is never read as a repository.
    if (name == "gitdir" || named.empty()) return {};
    const std::string directory = parent_of(pointer.path);
    const auto lexical = policy::git_pointer_target(directory, pointer.content);
    const std::string shown = lexical.value_or(std::string(named));
    const bool trusted = lexical && (!pointer.target || pointer.target == lexical) &&
                         policy::is_trusted_pointer(tree, pointer.path, pointer.content);
    if (trusted && policy::is_git_dir_name(is_git_file ? *lexical : directory)) return {};
    if (pointer.target && is_repository(tree, *pointer.target)) {
        PointerVerdict verdict{repository_parts(policy, tree, *pointer.target), false};
        verdict.dangerous = !verdict.objections.empty();
        // Only a worktree's directory has a commondir.
        if (!is_git_file && !trusted && pointer.stage != PointerStage::partial)
            verdict.objections.push_back(shown);
        return verdict;
    }
    if (pointer.stage == PointerStage::partial || trusted) return {};
    const std::string place = pointer.target.value_or(shown);
    if (is_git_file && pointer.stage == PointerStage::fresh &&
        policy.decide(policy::Access::write, place, {}, tree).allowed())
        return {};
    return {{place + " is no repository"}, false};
}

OrErrno<os::Fd> PointerDrafts::open(const PointerOpen& request, report::Denial refusal) {
    // A shared mapping could be written to unseen; it needs a descriptor that reads as well.
    if ((request.flags & O_ACCMODE) != O_WRONLY) return failed(EACCES);
    const std::scoped_lock hold(lock_);
    if (dangerous_before_ || drafts_.size() >= limit) return failed(EACCES);
    const auto created = create_file(request);
    if (!created) return failed(created.error());
    const int directory = request.parent.get();
    os::Fd writer(::openat(directory, request.name.c_str(), writer_flags(request.flags)));
    if (!writer) return failed(errno);
    Draft draft;
    draft.created = *created;
    draft.name = request.name;
    draft.refusal = std::move(refusal);
    draft.content.reset(::open(descriptor_link(writer).c_str(), O_RDONLY | O_CLOEXEC));
    draft.parent.reset(::fcntl(directory, F_DUPFD_CLOEXEC, 0));
    if (!draft.content || !draft.parent) return failed(EACCES);
    if (!events_) watch();
    if (events_)
        ::inotify_add_watch(events_.get(), descriptor_link(draft.content).c_str(),
                            IN_MODIFY | IN_CLOSE_WRITE);
    auto before = read_content(draft.content.get(), git_pointer_limit);
    if (!before || ::fchmod(writer.get(), 0) != 0) return failed(EACCES);
    draft.before = *std::move(before);
    if ((request.flags & O_TRUNC) != 0 && ::ftruncate(writer.get(), 0) != 0) return failed(errno);
    drafts_.push_back(std::move(draft));
    pending_.store(static_cast<int>(drafts_.size()), std::memory_order_release);
    return writer;
}

std::optional<PointerVerdict> PointerDrafts::examine(const Draft& draft) const {
    const bool partial = writers_of(draft.content.get()) == Writers::some;
    const PointerStage stage = partial         ? PointerStage::partial
                               : draft.created ? PointerStage::fresh
                                               : PointerStage::replacing;
    const auto content = read_content(draft.content.get(), git_pointer_limit);
    if (!content) return PointerVerdict{{"it is too long"}, false};
    const std::string path = descriptor_path(draft.parent.get()) + "/" + draft.name;
    PointerVerdict verdict =
        judge_pointer(broker_.policy(), broker_.tree(),
                      {path, content->text, follow_git_pointer(path, content->text), stage});
    // Whom the mode stops can wait for the end of it.
    if (partial && (verdict.objections.empty() || ::geteuid() != 0)) return std::nullopt;
    return verdict;
}

bool PointerDrafts::any_settled() {
    const std::scoped_lock hold(lock_);
    return std::any_of(drafts_.begin(), drafts_.end(),
                       [&](const Draft& draft) { return examine(draft).has_value(); });
}

void PointerDrafts::settle_within(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    settle();
    while (pending_.load(std::memory_order_acquire) != 0 &&
           std::chrono::steady_clock::now() < end) {
        ::usleep(500);
        settle();
    }
}

void PointerDrafts::settle_pending() {
    if (!any_settled()) return;
    restore_own_identity();
    const NamesHold names(broker_, Hold::alone);
    const std::scoped_lock hold(lock_);
    std::vector<Draft> open;
    for (Draft& draft : drafts_) {
        if (const auto verdict = examine(draft)) {
            finish(std::move(draft), *verdict);
        } else {
            open.push_back(std::move(draft));
        }
    }
    drafts_ = std::move(open);
    pending_.store(static_cast<int>(drafts_.size()), std::memory_order_release);
}

void PointerDrafts::finish(Draft draft, const PointerVerdict& verdict) {
    struct stat status;
    const int parent = draft.parent.get();
    const bool stands = ::fstatat(parent, draft.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                        status.st_dev == draft.before.status.st_dev &&
                        status.st_ino == draft.before.status.st_ino;
    const bool alone = writers_of(draft.content.get()) == Writers::none;
    if (verdict.objections.empty()) {
        // Removed or replaced meanwhile: natively the writer would have written to what is gone.
        if (!stands ||
            (alone && ::fchmod(draft.content.get(), draft.before.status.st_mode & 07777) == 0))
            return;
        if (auto content = read_content(draft.content.get(), git_pointer_limit)) {
            content->status.st_mode = draft.before.status.st_mode;
            [[maybe_unused]] const auto installed = install_copy(parent, draft.name, *content);
        }
        return;
    }
    // By another file where the refused one may still be open for writing.
    const bool restored = stands && !draft.created &&
                          ((alone && restore(draft.content.get(), draft.before)) ||
                           install_copy(parent, draft.name, draft.before).has_value());
    if (stands && !restored) ::unlinkat(parent, draft.name.c_str(), 0);
    dangerous_before_ = dangerous_before_ || verdict.dangerous;
    draft.refusal.detail = verdict.objections.front();
    if (verdict.objections.size() > 1)
        draft.refusal.detail += " and " + std::to_string(verdict.objections.size() - 1) + " more";
    broker_.denials().add(std::move(draft.refusal));
}

void PointerDrafts::watch() {
    events_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    stop_.reset(::eventfd(0, EFD_CLOEXEC));
    if (!events_ || !stop_) return;
    try {
        watcher_ = std::thread([this] { settle_on_events(); });
    } catch (const std::system_error&) {
        // Without a thread, the next call settles it.
    }
}

void PointerDrafts::settle_on_events() {
    std::array<char, 4096> buffer;
    pollfd sources[2] = {{events_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    while (::poll(sources, 2, -1) >= 0 || errno == EINTR) {
        if (sources[1].revents != 0) return;
        while (::read(events_.get(), buffer.data(), buffer.size()) > 0) continue;
        // Most writers close at once; then the file itself can be put right.
        ::usleep(300);
        settle();
    }
}

PointerDrafts::~PointerDrafts() {
    if (!watcher_.joinable()) return;
    ::eventfd_write(stop_.get(), 1);
    watcher_.join();
}

}  // namespace linux_backend
