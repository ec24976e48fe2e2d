// Effects on files that the sandbox may read but not write.
#include <linux/openat2.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/targets.h"

namespace ctl::verify {

int write_text(int descriptor, std::string_view text) {
    if (descriptor < 0) return errno;
    return outcome_of(call(SYS_write, descriptor, text.data(), text.size()));
}

namespace {

using policy::Access;

constexpr std::string_view changed = "changed\n";

int overwrite(const Arguments& a) {
    return write_text(open_path(a[0] + "/file", O_WRONLY), changed);
}

int append(const Arguments& a) {
    return write_text(open_path(a[0] + "/file", O_WRONLY | O_APPEND), changed);
}

int open_with_openat2(const Arguments& a) {
    open_how how{};
    how.flags = O_RDWR;
    const long file = call(SYS_openat2, AT_FDCWD, (a[0] + "/file").c_str(), &how, sizeof how);
    return write_text(static_cast<int>(file), changed);
}

int empty_by_open(const Arguments& a) {
    return outcome_of(open_path(a[0] + "/file", O_WRONLY | O_TRUNC));
}

int empty_by_truncate(const Arguments& a) {
    return outcome_of(call(SYS_truncate, (a[0] + "/file").c_str(), 0));
}

int write_through_link(const Arguments& a) {
    const std::string link = a[1] + "/link";
    if (call(SYS_symlinkat, (a[0] + "/file").c_str(), AT_FDCWD, link.c_str()) != 0) return errno;
    return write_text(open_path(link, O_WRONLY), changed);
}

int write_from_root_link(const Arguments& a) {
    return write_text(open_path("/proc/self/root" + a[0] + "/file", O_WRONLY), changed);
}

int write_from_directory(const Arguments& a) {
    const int directory = open_path(a[0], O_PATH | O_DIRECTORY);
    return write_text(static_cast<int>(call(SYS_openat, directory, "sub/../file", O_WRONLY, 0)),
                      changed);
}

int reopen_for_writing(const Arguments& a) {
    const int file = open_path(a[0] + "/file", O_RDONLY);
    if (file < 0) return errno;
    return write_text(open_path("/proc/self/fd/" + std::to_string(file), O_WRONLY), changed);
}

int create(const Arguments& a) {
    return outcome_of(open_path(a[0] + "/new", O_WRONLY | O_CREAT | O_EXCL));
}

int name_unnamed_file(const Arguments& a) {
    const int file = open_path(a[0], O_TMPFILE | O_RDWR);
    if (file < 0) return errno;
    const std::string source = "/proc/self/fd/" + std::to_string(file);
    return outcome_of(call(SYS_linkat, AT_FDCWD, source.c_str(), AT_FDCWD, (a[0] + "/new").c_str(),
                           AT_SYMLINK_FOLLOW));
}

int make_directory(const Arguments& a) {
    return outcome_of(call(SYS_mkdirat, AT_FDCWD, (a[0] + "/new").c_str(), 0700));
}

int make_fifo(const Arguments& a) {
    return outcome_of(call(SYS_mknodat, AT_FDCWD, (a[0] + "/new").c_str(), S_IFIFO | 0600, 0));
}

int make_link(const Arguments& a) {
    return outcome_of(call(SYS_symlinkat, "file", AT_FDCWD, (a[0] + "/new").c_str()));
}

int make_socket(const Arguments& a) {
    const int socket = static_cast<int>(call(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
    if (socket < 0) return errno;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (a[0].size() + 5 > sizeof address.sun_path) return ENAMETOOLONG;
    std::snprintf(address.sun_path, sizeof address.sun_path, "%s/new", a[0].c_str());
    return outcome_of(call(SYS_bind, socket, &address, sizeof address));
}

int rename_to(const std::string& from, const std::string& to, unsigned flags = 0) {
    return outcome_of(call(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags));
}

int rename_there(const Arguments& a) {
    return rename_to(a[0] + "/file", a[0] + "/new");
}

int exchange(const Arguments& a) {
    return rename_to(a[0] + "/file", a[0] + "/other", RENAME_EXCHANGE);
}

int move_out(const Arguments& a) {
    return rename_to(a[0] + "/file", a[1] + "/moved");
}

int move_in(const Arguments& a) {
    const std::string source = a[1] + "/source";
    if (const int error = write_text(open_path(source, O_WRONLY | O_CREAT), changed)) return error;
    return rename_to(source, a[0] + "/file");
}

int move_directory(const Arguments& a) {
    return rename_to(a[0] + "/sub", a[1] + "/moved");
}

int remove_file(const Arguments& a) {
    return outcome_of(call(SYS_unlinkat, AT_FDCWD, (a[0] + "/file").c_str(), 0));
}

int remove_directory(const Arguments& a) {
    return outcome_of(call(SYS_unlinkat, AT_FDCWD, (a[0] + "/empty").c_str(), AT_REMOVEDIR));
}

int link_to(const std::string& from, const std::string& to) {
    return outcome_of(call(SYS_linkat, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0));
}

int link_there(const Arguments& a) {
    return link_to(a[0] + "/file", a[0] + "/new");
}

int write_through_hard_link(const Arguments& a) {
    const std::string alias = a[1] + "/alias";
    if (const int error = link_to(a[0] + "/file", alias)) return error;
    return write_text(open_path(alias, O_WRONLY), changed);
}

constexpr Access w = Access::write;

constexpr Effect effects[] = {
    {"files.write", "write to a file", outside_tree, overwrite, w},
    {"files.append", "append to a file", outside_tree, append, w},
    {"files.openat2", "write to a file by openat2", outside_tree, open_with_openat2, w},
    {"files.truncate-open", "empty a file while opening it", outside_tree, empty_by_open, w},
    {"files.truncate", "empty a file by truncate", outside_tree, empty_by_truncate, w},
    {"files.symlink-through", "write through a symbolic link in the workspace", outside_tree,
     write_through_link, w},
    {"files.proc-root", "write by way of /proc/self/root", outside_tree, write_from_root_link, w},
    {"files.from-directory", "write from a directory's descriptor", outside_tree,
     write_from_directory, w},
    {"files.reopen", "open a descriptor for reading again for writing", outside_tree,
     reopen_for_writing, w},
    {"files.create", "create a file", outside_tree, create, w},
    {"files.tmpfile", "give a name to an unnamed file", outside_tree, name_unnamed_file, w},
    {"files.mkdir", "make a directory", outside_tree, make_directory, w},
    {"files.mkfifo", "make a FIFO", outside_tree, make_fifo, w},
    {"files.symlink", "make a symbolic link", outside_tree, make_link, w},
    {"files.socket", "make a socket", outside_tree, make_socket, w},
    {"files.rename", "rename a file", outside_tree, rename_there, w},
    {"files.exchange", "exchange two files", outside_tree, exchange, w},
    {"files.move-out", "move a file into the workspace", outside_tree, move_out, w},
    {"files.move-in", "move a file over one outside", outside_tree, move_in, w},
    {"files.move-directory", "move a directory into the workspace", outside_tree, move_directory,
     w},
    {"files.unlink", "remove a file", outside_tree, remove_file, w},
    {"files.rmdir", "remove a directory", outside_tree, remove_directory, w},
    {"files.link", "make a hard link", outside_tree, link_there, w},
    {"files.link-through", "write through a hard link in the workspace", outside_tree,
     write_through_hard_link, w},
};

}  // namespace

std::span<const Effect> file_effects() {
    return effects;
}

}  // namespace ctl::verify
