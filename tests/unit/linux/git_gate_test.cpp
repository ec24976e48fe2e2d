// What may change in git repositories, and when they come into being.
#include "linux/broker/git_gate.h"

#include <sys/stat.h>

#include <cerrno>
#include <map>

#include "linux/broker/git_pointer.h"
#include "serving.h"

using serving::Folder;
using serving::Sandbox;

namespace {

const std::string plain_config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
const std::string evil_config = "[core]\n\tfsmonitor = touch /tmp/pwned\n";

/// Opens for writing through the sandbox; the descriptor, or the negative errno.
int open_by(Sandbox& sandbox, const std::string& path, int flags) {
    auto answer = sandbox.answer(SYS_openat, AT_FDCWD, path, flags, 0666);
    if (answer.kind == linux_backend::Answer::Kind::error) return -answer.error_number;
    REQUIRE(answer.kind == linux_backend::Answer::Kind::descriptor);
    return answer.descriptor_to_install.release();
}

/// Writes a file through the sandbox as a shell's redirection does.
int write_by(Sandbox& sandbox, const std::string& path, const std::string& text) {
    const int fd = open_by(sandbox, path, O_WRONLY | O_CREAT | O_TRUNC);
    if (fd < 0) return fd;
    CHECK(write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    close(fd);
    sandbox.broker().pointers().settle();
    return 0;
}

mode_t mode_of(const std::string& path) {
    struct stat status;
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

void make_repository(const Folder& folder, const std::string& name, const std::string& config) {
    folder.write(name + "/HEAD", "ref: refs/heads/main\n");
    folder.directory(name + "/objects");
    folder.directory(name + "/refs");
    folder.write(name + "/config", config);
}

}  // namespace

TEST_CASE("a safe change of a git config is installed as a copy that nobody else holds open") {
    const Folder folder;
    make_repository(folder, "w/.git", plain_config);
    Sandbox sandbox(folder);
    const std::string after = plain_config + "[user]\n\tname = n\n";
    const int fd = open_by(sandbox, folder("w/.git/config.lock"), O_RDWR | O_CREAT | O_EXCL);
    REQUIRE(fd >= 0);
    REQUIRE(write(fd, after.data(), after.size()) == static_cast<ssize_t>(after.size()));
    REQUIRE(fchmod(fd, 0640) == 0);
    CHECK(sandbox.call(SYS_rename, folder("w/.git/config.lock"), folder("w/.git/config")) == 0);
    CHECK(folder.read("w/.git/config") == after);
    CHECK(!folder.exists("w/.git/config.lock"));
    CHECK(mode_of(folder("w/.git/config")) == 0640);
    REQUIRE(write(fd, evil_config.data(), evil_config.size()) > 0);
    close(fd);
    CHECK(folder.read("w/.git/config") == after);
    CHECK(sandbox.denials().empty());
}

TEST_CASE("a change of a git config to what runs something is refused, its keys named") {
    const Folder folder;
    make_repository(folder, "w/.git", plain_config);
    Sandbox sandbox(folder);
    folder.write("w/.git/config.lock",
                 plain_config + "[alias]\n\tx = !sh\n[core]\n\thooksPath = /tmp/h\n");
    CHECK(sandbox.call(SYS_rename, folder("w/.git/config.lock"), folder("w/.git/config")) ==
          -EACCES);
    CHECK(sandbox.last_refusal() ==
          "git.config: rename to " + folder("w/.git/config") + " (alias.x, core.hookspath)");
    folder.write("w/.git/config.lock", "[core\n");
    CHECK(sandbox.call(SYS_rename, folder("w/.git/config.lock"), folder("w/.git/config")) ==
          -EACCES);
    CHECK(sandbox.last_refusal() ==
          "git.config: rename to " + folder("w/.git/config") + " (not in git's syntax: line 2)");
    CHECK(write_by(sandbox, folder("w/.git/config"), plain_config) == -EACCES);
    std::filesystem::create_symlink("/etc/hostname", folder("w/link"));
    CHECK(sandbox.call(SYS_rename, folder("w/link"), folder("w/.git/config")) == -EACCES);
    CHECK(sandbox.call(SYS_link, folder("w/.git/config.lock"), folder("w/.git/config.worktree")) ==
          -EACCES);
    CHECK(folder.read("w/.git/config") == plain_config);
}

TEST_CASE("a directory does not become a repository whose config or hooks run something") {
    const Folder folder;
    Sandbox sandbox(folder);
    folder.write("w/d/HEAD", "ref: refs/heads/main\n");
    folder.directory("w/d/objects");
    folder.write("w/d/config", evil_config);
    CHECK(sandbox.call(SYS_mkdir, folder("w/d/refs"), 0777) == -EACCES);
    CHECK(sandbox.last_refusal() ==
          "git.config: make a git repository of " + folder("w/d") + " (core.fsmonitor)");
    CHECK(sandbox.call(SYS_symlink, "/tmp", folder("w/d/refs")) == -EACCES);
    folder.directory("w/other");
    CHECK(sandbox.call(SYS_rename, folder("w/other"), folder("w/d/refs")) == -EACCES);
    CHECK(!folder.exists("w/d/refs"));

    folder.write("w/d/config", plain_config);
    folder.write("w/d/hooks/pre-commit", "#!/bin/sh\n");
    CHECK(sandbox.call(SYS_mkdir, folder("w/d/refs"), 0777) == -EACCES);
    CHECK(sandbox.last_refusal() ==
          "git.hooks: make a git repository of " + folder("w/d") + " (hooks/pre-commit)");

    folder.write("w/tree/commondir", "../d\n");
    folder.write("w/tree/config.worktree", evil_config);
    CHECK(open_by(sandbox, folder("w/tree/HEAD"), O_WRONLY | O_CREAT) == -EACCES);
    CHECK(!folder.exists("w/tree/HEAD"));
}

TEST_CASE(
    "a directory becomes a repository when nothing is wrong with it, and is protected from then "
    "on") {
    const Folder folder;
    Sandbox sandbox(folder);
    folder.write("w/d/HEAD", "ref: refs/heads/main\n");
    folder.directory("w/d/objects");
    const int fd = open_by(sandbox, folder("w/d/config"), O_RDWR | O_CREAT);
    REQUIRE(fd >= 0);
    REQUIRE(write(fd, plain_config.data(), plain_config.size()) > 0);
    CHECK(sandbox.call(SYS_mkdir, folder("w/d/refs"), 0777) == 0);
    REQUIRE(pwrite(fd, evil_config.data(), evil_config.size(), 0) > 0);
    close(fd);
    CHECK(folder.read("w/d/config") == plain_config);
    CHECK(open_by(sandbox, folder("w/d/config"), O_WRONLY) == -EACCES);
    CHECK(sandbox.call(SYS_mkdir, folder("w/d/hooks"), 0777) == 0);
    CHECK(open_by(sandbox, folder("w/d/hooks/pre-commit"), O_WRONLY | O_CREAT) == -EACCES);
    const int sample = open_by(sandbox, folder("w/d/hooks/pre-commit.sample"), O_WRONLY | O_CREAT);
    CHECK(sample >= 0);
    close(sample);
    CHECK(sandbox.call(SYS_rename, folder("w/d/hooks/pre-commit.sample"),
                       folder("w/d/hooks/pre-commit")) == -EACCES);
}

TEST_CASE("a new repository starts with empty directories, never with links") {
    const Folder folder;
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_mkdir, folder("w/.git"), 0777) == 0);
    CHECK(sandbox.call(SYS_mkdir, folder("w/.git/hooks/"), 0777) == 0);
    CHECK(sandbox.call(SYS_symlink, folder("t"), folder("w/sub.git")) == 0);
    folder.directory("w/sub/.git");
    CHECK(sandbox.call(SYS_symlink, folder("t"), folder("w/sub/.git/hooks")) == -EACCES);
    CHECK(sandbox.call(SYS_symlink, folder("t/config"), folder("w/sub/.git/config")) == -EACCES);
    folder.directory("w/other");
    CHECK(sandbox.call(SYS_symlink, folder("t"), folder("w/other/.git")) == -EACCES);
}

TEST_CASE("the parts of a repository go with it, but not those of the workspace's own") {
    const Folder folder;
    make_repository(folder, "w/.git", plain_config);
    make_repository(folder, "w/clone/.git", plain_config);
    folder.write("w/clone/.git/hooks/pre-push", "#!/bin/sh\n");
    folder.write("w/.git/worktrees/x/config.worktree", "");
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_unlink, folder("w/.git/config")) == -EACCES);
    CHECK(sandbox.last_refusal() == "git.config: remove " + folder("w/.git/config"));
    CHECK(sandbox.call(SYS_unlink, folder("w/clone/.git/config")) == 0);
    CHECK(sandbox.call(SYS_unlink, folder("w/clone/.git/hooks/pre-push")) == 0);
    CHECK(sandbox.call(SYS_rmdir, folder("w/clone/.git/hooks")) == 0);
    CHECK(sandbox.call(SYS_unlink, folder("w/.git/worktrees/x/config.worktree")) == 0);
}

TEST_CASE(
    "a repository that runs nothing may be renamed and stays protected, another keeps its name") {
    const Folder folder;
    make_repository(folder, "w/a/.git", plain_config);
    make_repository(folder, "w/b/.git", evil_config);
    make_repository(folder, "w/evil", evil_config);
    Sandbox sandbox(folder);
    CHECK(sandbox.call(SYS_rename, folder("w/a/.git"), folder("w/a/g")) == 0);
    CHECK(open_by(sandbox, folder("w/a/g/config"), O_WRONLY) == -EACCES);
    CHECK(sandbox.call(SYS_rename, folder("w/a/g"), folder("w/a/.git")) == 0);
    CHECK(sandbox.call(SYS_rename, folder("w/b/.git"), folder("w/b/g")) == -EACCES);
    CHECK(sandbox.call(SYS_rename, folder("w/evil"), folder("w/.git")) == -EACCES);
    CHECK(sandbox.last_refusal() ==
          "git.config: move the repository " + folder("w/evil") + " (core.fsmonitor)");
    CHECK(sandbox.call(SYS_rename, folder("w/b"), folder("w/c")) == 0);
    // Not a repository yet, so its config was never looked at.
    folder.write("w/p/config", plain_config);
    CHECK(sandbox.call(SYS_rename, folder("w/p"), folder("w/.git")) == -EACCES);
    CHECK(sandbox.last_refusal() == "git.config: move " + folder("w/.git/config"));
}

TEST_CASE("nobody else may open a pointer before it is complete and was looked at") {
    const Folder folder;
    make_repository(folder, "w/store", plain_config);
    folder.directory("w/tree");
    Sandbox sandbox(folder);
    const int fd = open_by(sandbox, folder("w/tree/.git"), O_WRONLY | O_CREAT | O_TRUNC);
    REQUIRE(fd >= 0);
    REQUIRE(write(fd, "gitdir: ", 8) == 8);
    sandbox.broker().pointers().settle();
    CHECK(mode_of(folder("w/tree/.git")) == 0);
    REQUIRE(write(fd, "../store\n", 9) == 9);
    sandbox.broker().pointers().settle();
    CHECK(mode_of(folder("w/tree/.git")) == 0);
    close(fd);
    sandbox.broker().pointers().settle();
    CHECK(mode_of(folder("w/tree/.git")) == 0644);
    CHECK(folder.read("w/tree/.git") == "gitdir: ../store\n");
    CHECK(open_by(sandbox, folder("w/tree/.git"), O_RDWR) == -EACCES);
}

TEST_CASE("a pointer to a repository that runs something is taken back as soon as it is written") {
    const Folder folder;
    make_repository(folder, "o/evil", evil_config);
    folder.write("w/tree/.git", "gitdir: ../elsewhere\n");
    folder.directory("w/new");
    Sandbox sandbox(folder);
    const std::string evil = "gitdir: " + folder("o/evil") + "\n";
    const int fd = open_by(sandbox, folder("w/tree/.git"), O_WRONLY | O_TRUNC);
    REQUIRE(fd >= 0);
    REQUIRE(write(fd, evil.data(), evil.size()) == static_cast<ssize_t>(evil.size()));
    sandbox.broker().pointers().settle();
    // Root could read it whatever its mode.
    if (geteuid() == 0) {
        CHECK(folder.read("w/tree/.git") == "gitdir: ../elsewhere\n");
        REQUIRE(write(fd, evil.data(), evil.size()) == static_cast<ssize_t>(evil.size()));
    } else {
        CHECK(mode_of(folder("w/tree/.git")) == 0);
    }
    close(fd);
    sandbox.broker().pointers().settle();
    CHECK(folder.read("w/tree/.git") == "gitdir: ../elsewhere\n");
    CHECK(mode_of(folder("w/tree/.git")) == 0644);
    CHECK(sandbox.last_refusal() == "git.pointer: write to " + folder("w/tree/.git") + " (" +
                                        folder("o/evil") + "/config: core.fsmonitor)");
    // No second try.
    CHECK(open_by(sandbox, folder("w/new/.git"), O_WRONLY | O_CREAT) == -EACCES);

    Sandbox another(folder);
    CHECK(write_by(another, folder("w/new/.git"), "gitdir: ../../o/evil") == 0);
    CHECK(!folder.exists("w/new/.git"));
    CHECK(another.denials().size() == 1);
}

TEST_CASE("a pointer may be renamed into place by its content, but not linked") {
    const Folder folder;
    make_repository(folder, "w/store", plain_config);
    make_repository(folder, "o/evil", evil_config);
    folder.directory("w/new");
    Sandbox sandbox(folder);
    folder.write("w/pointer", "gitdir: " + folder("o/evil"));
    CHECK(sandbox.call(SYS_rename, folder("w/pointer"), folder("w/new/.git")) == -EACCES);
    folder.write("w/pointer", "gitdir: " + folder("w/store"));
    CHECK(sandbox.call(SYS_link, folder("w/pointer"), folder("w/new/.git")) == -EACCES);
    CHECK(sandbox.call(SYS_rename, folder("w/pointer"), folder("w/new/.git")) == 0);
    CHECK(folder.read("w/new/.git") == "gitdir: " + folder("w/store"));
    CHECK(!folder.exists("w/pointer"));
}

TEST_CASE(
    "a pointer to what is no repository yet passes where none was, and where it must be made "
    "inside") {
    const Folder folder;
    folder.write("w/tree/.git", "gitdir: ../elsewhere\n");
    folder.directory("w/new");
    folder.directory("w/far");
    make_repository(folder, "w/.git", plain_config);
    Sandbox sandbox(folder);
    CHECK(write_by(sandbox, folder("w/new/.git"), "gitdir: " + folder("t/later") + "\n") == 0);
    CHECK(folder.read("w/new/.git") == "gitdir: " + folder("t/later") + "\n");
    CHECK(sandbox.denials().empty());
    CHECK(write_by(sandbox, folder("w/far/.git"), "gitdir: " + folder("o/later") + "\n") == 0);
    CHECK(!folder.exists("w/far/.git"));
    CHECK(sandbox.last_refusal() == "git.pointer: write to " + folder("w/far/.git") + " (" +
                                        folder("o/later") + " is no repository)");
    struct stat before;
    struct stat after;
    REQUIRE(stat(folder("w/tree/.git").c_str(), &before) == 0);
    CHECK(write_by(sandbox, folder("w/tree/.git"), "gitdir: " + folder("t/later") + "\n") == 0);
    REQUIRE(stat(folder("w/tree/.git").c_str(), &after) == 0);
    CHECK(folder.read("w/tree/.git") == "gitdir: ../elsewhere\n");
    CHECK(before.st_ino == after.st_ino);
    CHECK(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    CHECK(before.st_mode == after.st_mode);
    CHECK(write_by(sandbox, folder("w/.git/commondir"), folder("t") + "\n") == 0);
    CHECK(!folder.exists("w/.git/commondir"));
    CHECK(sandbox.denials().size() == 3);
}

TEST_CASE("a pointer through a symbolic link is followed as git follows it") {
    const Folder folder;
    make_repository(folder, "o/deep/evil", evil_config);
    folder.directory("o/deep/er");
    folder.directory("w/tree");
    std::filesystem::create_symlink(folder("o/deep/er"), folder("w/tree/link"));
    Sandbox sandbox(folder);
    CHECK(write_by(sandbox, folder("w/tree/.git"), "gitdir: link/../evil\n") == 0);
    CHECK(!folder.exists("w/tree/.git"));
    CHECK(sandbox.denials().size() == 1);
}

TEST_CASE(
    "the pointers of git's own worktrees and submodules pass, whatever their repository runs") {
    const Folder folder;
    make_repository(folder, "w/.git", evil_config);
    make_repository(folder, "w/.git/modules/sub", evil_config);
    folder.directory("w/.git/worktrees/tree");
    folder.directory("w/tree");
    folder.directory("w/sub");
    Sandbox sandbox(folder);
    const std::string meta = "w/.git/worktrees/tree/";
    CHECK(write_by(sandbox, folder(meta + "gitdir"), folder("w/tree/.git") + "\n") == 0);
    CHECK(write_by(sandbox, folder("w/tree/.git"),
                   "gitdir: " + folder("w/.git/worktrees/tree") + "\n") == 0);
    CHECK(write_by(sandbox, folder(meta + "HEAD"), "0000\n") == 0);
    CHECK(write_by(sandbox, folder(meta + "commondir"), "../..\n") == 0);
    CHECK(folder.read("w/tree/.git") == "gitdir: " + folder("w/.git/worktrees/tree") + "\n");
    CHECK(folder.read(meta + "commondir") == "../..\n");
    CHECK(write_by(sandbox, folder("w/sub/.git"), "gitdir: ../.git/modules/sub\n") == 0);
    CHECK(folder.read("w/sub/.git") == "gitdir: ../.git/modules/sub\n");
    CHECK(sandbox.denials().empty());
}
