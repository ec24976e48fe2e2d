// Making, describing, removing.
#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "operation.h"
#include "os/fd.h"

namespace differential {
namespace {

constexpr uid_t other_user = 1001;
constexpr uid_t third_user = 1002;
constexpr time_t now_is_after = 1'600'000'000;  // Sequences set times before it.

void need(bool done, const std::string& what) {
    if (done) return;
    std::fprintf(stderr, "differential: cannot make the tree: %s: %s\n", what.c_str(),
                 std::strerror(errno));
    std::exit(2);
}

struct Maker {
    int top;
    bool as_root;

    void directory(const char* name, mode_t mode) const {
        need(::mkdirat(top, name, 0700) == 0 && ::fchmodat(top, name, mode, 0) == 0, name);
    }
    void file(const std::string& name, mode_t mode, std::string_view content) const {
        const os::Fd fd(::openat(top, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        need(fd && ::write(fd.get(), content.data(), content.size()) >= 0 &&
                 ::fchmod(fd.get(), mode) == 0,
             name);
    }
    void link(const char* name, const std::string& text) const {
        need(::symlinkat(text.c_str(), top, name) == 0, name);
    }
    void owner(const char* name, uid_t user, gid_t group) const {
        if (!as_root) return;
        struct stat status;
        need(::fstatat(top, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                 ::fchownat(top, name, user, group, AT_SYMLINK_NOFOLLOW) == 0,
             name);
        if (!S_ISLNK(status.st_mode))
            need(::fchmodat(top, name, status.st_mode & 07777, 0) == 0, name);
    }
    void socket() const {
        need(::fchdir(top) == 0, ".");
        const os::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un address = {AF_UNIX, "sock"};
        need(fd && ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0,
             "sock");
    }
    /// Where the file system has such attributes.
    void attribute(const char* name) const {
        need(::fchdir(top) == 0, ".");
        need(::setxattr(name, "user.a", "first", 5, 0) == 0 || errno == ENOTSUP, name);
    }
    void close_to_all(const char* name, mode_t mode) const {
        need(::fchmodat(top, name, mode, 0) == 0, name);
    }
};

void make_files(const Maker& make) {
    make.file("f", 0644, "alpha\n");
    make.file("g", 0600, "beta\n");
    make.file("x", 0755, "#!/bin/sh\n");
    make.file("ro", 0444, "fixed\n");
    make.file("suid", 06755, "runs as its owner\n");
    make.file("shut", 0, "");
    make.file("h1", 0644, "two names\n");
    need(::linkat(make.top, "h1", make.top, "h2", 0) == 0, "h2");
    make.file(std::string(255, 'z'), 0644, "long\n");
    make.file("\x01\xff *\n?", 0644, "odd\n");
}

void make_directories(const Maker& make) {
    make.directory("d", 0755);
    make.directory("d/e", 0755);
    make.file("d/f", 0644, "in d\n");
    make.file("d/e/f", 0644, "in e\n");
    make.link("d/l", "../f");
    make.directory("empty", 0755);
    make.directory("n", 0755);
    make.file("n/f", 0644, "behind a shut door\n");
    make.directory("s", 01777);
    make.file("s/f", 0666, "sticky\n");
    make.file("s/g", 0666, "of somebody else\n");
    make.link("s/l", "../f");
    make.directory("sg", 02775);
    make.file("sg/f", 0644, "of a group\n");
    make.directory("r", 0755);
    make.file("r/f", 0644, "not to be removed\n");
}

void make_links(const Maker& make, const std::string& top) {
    make.link("l", "f");
    make.link("ld", "d");
    make.link("ldd", "ld/");
    make.link("lf", "f/");
    make.link("up", "..");
    make.link("here", ".");
    make.link("loop", "loop");
    make.link("a", "b");
    make.link("b", "a");
    make.link("dang", "nowhere");
    make.link("dangd", "d/nowhere");
    make.link("dangs", "nowhere/");
    make.link("abs", top + "/t/f");
    make.link("absd", top + "/t/d");
    make.link("null", "/dev/null");
    make.link("selffd", "/proc/self/fd/5");
    make.link("devfd", "/dev/fd/3");
    make.link("cwd", "/proc/self/cwd");
    make.link("c0", "f");
    for (int i = 1; i <= 41; ++i)
        make.link(("c" + std::to_string(i)).c_str(), "c" + std::to_string(i - 1));
}

/// Describes the names below one directory, with what has been seen before.
class Description {
  public:
    std::string text;

    void directory(int parent, const char* name, const std::string& path) {
        os::Fd fd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!fd && errno == EACCES && ::fchmodat(parent, name, 0700, 0) == 0)
            fd.reset(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (fd && ::faccessat(fd.get(), ".", X_OK, 0) != 0) ::fchmod(fd.get(), 0700);
        DIR* entries = fd ? ::fdopendir(::dup(fd.get())) : nullptr;
        if (entries == nullptr) {
            text += quoted(path) + " cannot be listed\n";
            return;
        }
        std::vector<std::string> names;
        while (const dirent* entry = ::readdir(entries))
            if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
                names.emplace_back(entry->d_name);
        ::closedir(entries);
        std::sort(names.begin(), names.end());
        for (const std::string& entry : names) object(fd.get(), entry, path + entry);
    }

  private:
    void object(int parent, const std::string& name, const std::string& path) {
        struct stat status;
        if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
        char line[160];
        std::snprintf(line, sizeof line, " %o %u:%u links %lu", status.st_mode, status.st_uid,
                      status.st_gid,
                      S_ISDIR(status.st_mode) ? 0UL : static_cast<unsigned long>(status.st_nlink));
        text += quoted(path) + line;
        time("accessed", status.st_atim);
        time("modified", status.st_mtim);
        attributes(parent, name, status);
        content(parent, name, path, status);
        text += '\n';
        if (S_ISDIR(status.st_mode)) directory(parent, name.c_str(), path + "/");
    }

    void time(const char* what, const timespec& at) {
        if (at.tv_sec > now_is_after && at.tv_sec < 2 * now_is_after) return;
        text += std::string(" ") + what + ' ' + std::to_string(at.tv_sec) + '.' +
                std::to_string(at.tv_nsec);
    }

    void attributes(int parent, const std::string& name, const struct stat& status) {
        if (::fchdir(parent) != 0) return;
        if (S_ISREG(status.st_mode) && (status.st_mode & 0400) == 0) ::chmod(name.c_str(), 0600);
        char names[4096];
        const ssize_t size = ::llistxattr(name.c_str(), names, sizeof names);
        std::vector<std::string> all;
        for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(all.back().size() + 1))
            all.emplace_back(names + at);
        std::sort(all.begin(), all.end());
        for (const std::string& attribute : all) {
            char value[4096];
            const ssize_t length =
                ::lgetxattr(name.c_str(), attribute.c_str(), value, sizeof value);
            text += ' ' + attribute + '=' +
                    quoted({value, length < 0 ? 0 : static_cast<std::size_t>(length)});
        }
    }

    void content(int parent, const std::string& name, const std::string& path,
                 const struct stat& status) {
        char bytes[PATH_MAX];
        ssize_t size = 0;
        if (S_ISLNK(status.st_mode)) {
            size = ::readlinkat(parent, name.c_str(), bytes, sizeof bytes);
            // The top differs, but only in its last letter.
            text += " -> " + std::to_string(size);
            return;
        }
        if (!S_ISREG(status.st_mode)) return;
        const auto [first, is_new] = names_.try_emplace(status.st_ino, path);
        if (!is_new) {
            text += " is " + quoted(first->second);
            return;
        }
        const os::Fd fd(::openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
        if (fd) size = ::read(fd.get(), bytes, sizeof bytes);
        text += " size " + std::to_string(status.st_size) + ' ' +
                quoted({bytes, size < 0 ? 0 : std::min<std::size_t>(size, 64)});
    }

    std::map<ino_t, std::string> names_;
};

void remove_below(int parent, const char* name) {
    ::fchmodat(parent, name, 0755, 0);
    const os::Fd fd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    DIR* entries = fd ? ::fdopendir(::dup(fd.get())) : nullptr;
    if (entries == nullptr) return;
    while (const dirent* entry = ::readdir(entries)) {
        if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
        if (::unlinkat(fd.get(), entry->d_name, 0) == 0) continue;
        remove_below(fd.get(), entry->d_name);
        ::unlinkat(fd.get(), entry->d_name, AT_REMOVEDIR);
    }
    ::closedir(entries);
}

}  // namespace

void make_tree(const std::string& top) {
    ::umask(0);
    const std::string tree = top + "/t";
    need(::mkdir(tree.c_str(), 0755) == 0, tree);
    const os::Fd fd(::open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    need(static_cast<bool>(fd), tree);
    const Maker make{fd.get(), ::geteuid() == 0};
    make_files(make);
    make_directories(make);
    make_links(make, top);
    for (const char* name : {"f", "d", "d/f", "g", "x"}) make.attribute(name);
    make.socket();
    need(::mkfifoat(fd.get(), "p", 0644) == 0, "p");
    for (const char* name : {"x", "suid", "s", "s/f", "r/f"}) make.owner(name, other_user, 0);
    for (const char* name : {"sg", "sg/f", "h1"}) make.owner(name, 0, other_user);
    for (const char* name : {"s/g", "s/l"}) make.owner(name, third_user, 0);
    make.close_to_all("n", 0);
    make.close_to_all("r", 0555);
    need(::chdir("/") == 0, "/");
}

std::string describe_tree(const std::string& top) {
    Description description;
    description.directory(AT_FDCWD, top.c_str(), "");
    static_cast<void>(!::chdir("/"));
    return std::move(description.text);
}

void remove_tree(const std::string& top) {
    remove_below(AT_FDCWD, top.c_str());
}

}  // namespace differential
