// Making, removing and moving names.
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

#include "serving.h"

using serving::Folder;
using serving::Sandbox;

TEST_CASE("names are made and removed in the workspace, with the thread's umask") {
    const Folder folder;
    Sandbox sandbox(folder);
    const mode_t before = umask(027);
    CHECK(sandbox.call(SYS_mkdir, folder("w/d"), 0777) == 0);
    CHECK(sandbox.call(SYS_mknodat, AT_FDCWD, folder("w/d/f"), S_IFREG | 0666, 0) == 0);
    umask(before);
    struct stat status;
    REQUIRE(stat(folder("w/d").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0750);
    REQUIRE(stat(folder("w/d/f").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0640);
    CHECK(sandbox.call(SYS_symlinkat, "f", AT_FDCWD, folder("w/d/s")) == 0);
    CHECK(std::filesystem::read_symlink(folder("w/d/s")) == "f");
    CHECK(sandbox.call(SYS_mknod, folder("w/d/p"), S_IFIFO | 0600, 0) == 0);
    CHECK(std::filesystem::is_fifo(folder("w/d/p")));
    CHECK(sandbox.call(SYS_rmdir, folder("w/d")) == -ENOTEMPTY);
    for (const char* name : {"w/d/f", "w/d/s", "w/d/p"}) {
        CHECK(sandbox.call(SYS_unlink, folder(name)) == 0);
        CHECK(!folder.exists(name));
    }
    CHECK(sandbox.call(SYS_unlinkat, AT_FDCWD, folder("w/d/"), AT_REMOVEDIR) == 0);
    CHECK(!folder.exists("w/d"));
    CHECK(sandbox.denials().empty());
}

TEST_CASE("each way to make or remove a name outside is refused and named") {
    const Folder folder;
    folder.write("o/f", "x");
    folder.directory("o/d");
    folder.write("w/mine", "x");
    Sandbox sandbox(folder);
    const std::string rule = "fs.write.outside-workspace: ";
    CHECK(sandbox.call(SYS_mkdir, folder("o/new"), 0777) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "create directory " + folder("o/new"));
    CHECK(sandbox.call(SYS_rmdir, folder("o/d")) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "remove directory " + folder("o/d"));
    CHECK(sandbox.call(SYS_unlink, folder("o/f")) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "remove " + folder("o/f"));
    CHECK(sandbox.call(SYS_symlink, "x", folder("o/new")) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "create symbolic link " + folder("o/new"));
    CHECK(sandbox.call(SYS_mknod, folder("o/new"), S_IFIFO | 0600, 0) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "create FIFO " + folder("o/new"));
    CHECK(sandbox.call(SYS_link, folder("w/mine"), folder("o/new")) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "link to " + folder("o/new"));
    CHECK(sandbox.call(SYS_link, folder("o/f"), folder("w/new")) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "link from " + folder("o/f"));
    CHECK(sandbox.call(SYS_rename, folder("w/mine"), folder("o/new")) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "rename to " + folder("o/new"));
    CHECK(sandbox.call(SYS_rename, folder("o/f"), folder("w/new")) == -EACCES);
    CHECK(sandbox.last_refusal() == rule + "rename from " + folder("o/f"));
    CHECK(folder.exists("o/f"));
    CHECK(folder.exists("o/d"));
    CHECK(folder.exists("w/mine"));
    CHECK(!folder.exists("o/new"));
    CHECK(!folder.exists("w/new"));
}

TEST_CASE("errors that anybody would get come first, and are no refusals") {
    const Folder folder;
    folder.write("o/f", "x");
    folder.write("w/f", "x");
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_mkdir, folder("o/f"), 0777) == -EEXIST);
    CHECK(sandbox.call(SYS_symlink, "x", folder("o/f")) == -EEXIST);
    CHECK(sandbox.call(SYS_mknod, folder("o/f"), S_IFREG | 0600, 0) == -EEXIST);
    CHECK(sandbox.call(SYS_link, folder("w/f"), folder("o/f")) == -EEXIST);
    CHECK(sandbox.call(SYS_unlink, folder("o/absent")) == -ENOENT);
    CHECK(sandbox.call(SYS_rmdir, folder("o/absent")) == -ENOENT);
    CHECK(sandbox.call(SYS_rename, folder("o/absent"), folder("o/b")) == -ENOENT);
    CHECK(sandbox.call(SYS_link, folder("o/absent"), folder("o/b")) == -ENOENT);
    CHECK(sandbox.call(SYS_mkdir, folder("o/absent/d"), 0777) == -ENOENT);
    CHECK(sandbox.call(SYS_mkdir, "/", 0777) == -EEXIST);
    CHECK(sandbox.call(SYS_rmdir, folder("o/.")) == -EINVAL);
    CHECK(sandbox.call(SYS_rmdir, folder("o/..")) == -ENOTEMPTY);
    CHECK(sandbox.call(SYS_rename, folder("o/."), folder("w/x")) == -EBUSY);
    CHECK(sandbox.call(SYS_rename, folder("w"), folder("w/f/x")) == -ENOTDIR);
    CHECK(sandbox.call(SYS_rename, folder("w"), folder("w/x")) == -EINVAL);
    CHECK(sandbox.call(SYS_unlinkat, AT_FDCWD, folder("w/f"), 0x1000) == -EINVAL);
    CHECK(sandbox.call(SYS_renameat2, AT_FDCWD, folder("w/f"), AT_FDCWD, folder("w/g"), 0x100u) ==
          -EINVAL);
    CHECK(sandbox.call(SYS_unlink, "") == -ENOENT);
    CHECK(sandbox.denials().empty());
    CHECK(folder.read("w/f") == "x");
}

TEST_CASE("a device cannot be made, a whiteout can") {
    const Folder folder;
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_mknod, folder("w/null"), S_IFCHR | 0666,
                       static_cast<unsigned>(makedev(1, 3))) == -EPERM);
    CHECK(sandbox.last_refusal() == "kernel.call: create device " + folder("w/null"));
    CHECK(sandbox.call(SYS_mknod, folder("w/disk"), S_IFBLK | 0666, 0) == -EPERM);
    CHECK(!folder.exists("w/null"));
    CHECK(!folder.exists("w/disk"));
    CHECK(sandbox.denials().size() == 2);
    CHECK(sandbox.call(SYS_mknod, folder("w/white"), S_IFCHR | 0666, 0) == 0);
    CHECK(std::filesystem::is_character_file(folder("w/white")));
}

TEST_CASE("a hard link is made of what was decided on: files, links themselves, nameless files") {
    const Folder folder;
    folder.write("w/f", "x");
    std::filesystem::create_symlink("f", folder("w/s"));
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_link, folder("w/f"), folder("w/f2")) == 0);
    CHECK(std::filesystem::hard_link_count(folder("w/f")) == 2);
    CHECK(sandbox.call(SYS_link, folder("w/s"), folder("w/s2")) == 0);
    CHECK(std::filesystem::is_symlink(folder("w/s2")));
    CHECK(sandbox.call(SYS_linkat, AT_FDCWD, folder("w/s"), AT_FDCWD, folder("w/f3"),
                       AT_SYMLINK_FOLLOW) == 0);
    CHECK(std::filesystem::hard_link_count(folder("w/f")) == 3);
    const os::Fd nameless(open(folder("w").c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    REQUIRE(write(nameless.get(), "t", 1) == 1);
    CHECK(sandbox.call(SYS_linkat, nameless.get(), "", AT_FDCWD, folder("w/t2"), AT_EMPTY_PATH) ==
          0);
    CHECK(folder.read("w/t2") == "t");
    CHECK(sandbox.call(SYS_link, folder("w"), folder("w/x")) == -EPERM);
    CHECK(sandbox.denials().empty());
}

TEST_CASE("a protected file gets no second name and does not lose its own") {
    const Folder folder;
    folder.write("w/.vscode/tasks.json", "{}");
    folder.write("w/plain", "{}");
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_link, folder("w/.vscode/tasks.json"), folder("w/alias")) == -EACCES);
    CHECK(sandbox.call(SYS_rename, folder("w/.vscode"), folder("w/v")) == -EACCES);
    CHECK(sandbox.call(SYS_rename, folder("w/.vscode/tasks.json"), folder("w/v")) == -EACCES);
    CHECK(sandbox.call(SYS_rename, folder("w/plain"), folder("w/.vscode/tasks.json")) == -EACCES);
    CHECK(sandbox.call(SYS_renameat2, AT_FDCWD, folder("w/plain"), AT_FDCWD,
                       folder("w/.vscode/tasks.json"),
                       static_cast<unsigned>(RENAME_EXCHANGE)) == -EACCES);
    CHECK(sandbox.call(SYS_symlink, "plain", folder("w/.envrc")) == -EACCES);
    CHECK(sandbox.call(SYS_mkdir, folder("w/.idea"), 0777) == -EACCES);
    CHECK(folder.read("w/.vscode/tasks.json") == "{}");
    CHECK(!folder.exists("w/alias"));
}

TEST_CASE("files and directories move between places that may be written") {
    const Folder folder;
    folder.write("t/project/src/main.c", "int main;");
    folder.write("w/a", "a");
    folder.write("w/b", "b");
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_rename, folder("t/project"), folder("w/project")) == 0);
    CHECK(folder.read("w/project/src/main.c") == "int main;");
    CHECK(sandbox.call(SYS_renameat2, AT_FDCWD, folder("w/a"), AT_FDCWD, folder("w/b"),
                       static_cast<unsigned>(RENAME_EXCHANGE)) == 0);
    CHECK(folder.read("w/a") == "b");
    CHECK(sandbox.call(SYS_renameat2, AT_FDCWD, folder("w/a"), AT_FDCWD, folder("w/b"),
                       static_cast<unsigned>(RENAME_NOREPLACE)) == -EEXIST);
    CHECK(sandbox.call(SYS_renameat, AT_FDCWD, folder("w/a"), AT_FDCWD, folder("w/b")) == 0);
    CHECK(folder.read("w/b") == "b");
    CHECK(sandbox.denials().empty());
}

TEST_CASE("a directory that holds what would be protected at its new place stays where it is") {
    const Folder folder;
    folder.write("t/project/sub/.vscode/tasks.json", "{}");
    folder.write("w/project/.vscode/tasks.json", "{}");
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_rename, folder("t/project"), folder("w/new")) == -EACCES);
    CHECK(sandbox.last_refusal() == "protect.editor: move " + folder("w/new/sub/.vscode"));
    CHECK(folder.exists("t/project/sub/.vscode/tasks.json"));
    CHECK(sandbox.call(SYS_rename, folder("w/project"), folder("t/new")) == -EACCES);
    CHECK(sandbox.last_refusal() == "protect.editor: move " + folder("w/project/.vscode"));
    CHECK(sandbox.call(SYS_renameat2, AT_FDCWD, folder("w/project"), AT_FDCWD, folder("t/project"),
                       static_cast<unsigned>(RENAME_EXCHANGE)) == -EACCES);
    // Within the workspace the name is protected wherever it comes to stand.
    CHECK(sandbox.call(SYS_rename, folder("w/project"), folder("w/renamed")) == 0);
    CHECK(folder.exists("w/renamed/.vscode/tasks.json"));
}
