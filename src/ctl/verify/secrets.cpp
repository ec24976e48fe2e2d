// Effects that bring secrets to light.
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>

#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/calls.h"
#include "ctl/verify/ground.h"
#include "ctl/verify/targets.h"

namespace ctl::verify {
namespace {

constexpr char secret_variable[] = "VERIFY_TOKEN";

int read_plainly(const Arguments& a) {
    return show_content(open_path(a[0], O_RDONLY));
}

int read_as_programs_do(const Arguments& a) {
    return show_content(open_path(a[0], O_RDONLY | O_CLOEXEC | O_NOCTTY));
}

int read_from_directory(const Arguments& a) {
    const auto slash = a[0].rfind('/');
    const int directory = open_path(a[0].substr(0, slash), O_PATH | O_DIRECTORY);
    return show_content(static_cast<int>(
        call(SYS_openat, directory, a[0].substr(slash + 1).c_str(), O_RDONLY | O_CLOEXEC, 0)));
}

int read_through_link(const Arguments& a) {
    const std::string link = a[1] + "/link";
    if (call(SYS_symlinkat, a[0].c_str(), AT_FDCWD, link.c_str()) != 0) return errno;
    return show_content(open_path(link, O_RDONLY | O_CLOEXEC));
}

int read_from_root_link(const Arguments& a) {
    return show_content(open_path("/proc/self/root" + a[0], O_RDONLY | O_CLOEXEC));
}

int read_hard_link(const Arguments& a) {
    const std::string alias = a[1] + "/alias";
    if (call(SYS_linkat, AT_FDCWD, a[0].c_str(), AT_FDCWD, alias.c_str(), 0) != 0) return errno;
    return show_content(open_path(alias, O_RDONLY | O_CLOEXEC));
}

int read_moved(const Arguments& a) {
    const std::string moved = a[1] + "/moved";
    if (call(SYS_renameat2, AT_FDCWD, a[0].c_str(), AT_FDCWD, moved.c_str(), 0) != 0) return errno;
    return show_content(open_path(moved, O_RDONLY | O_CLOEXEC));
}

int read_reopened(const Arguments& a) {
    const int file = open_path(a[0], O_PATH);
    if (file < 0) return errno;
    return show_content(open_path("/proc/self/fd/" + std::to_string(file), O_RDONLY | O_CLOEXEC));
}

int list(const Arguments& a) {
    const int directory = open_path(a[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return errno;
    char entries[4096];
    const long size = call(SYS_getdents64, directory, entries, sizeof entries);
    if (size < 0) return errno;
    return show({entries, static_cast<std::size_t>(size)});
}

int show_variable(const Arguments& a) {
    const char* value = std::getenv(a[0].c_str());
    return value == nullptr ? ENODATA : show(value);
}

core::Result<Stage> secret_directory(Ground& ground) {
    const std::string name = ground.fresh_text();
    const std::string directory = ground.home() + "/.ssh";
    if (auto made = write_file(directory + "/" + name, "key"); !made)
        return core::fail(made.error());
    Stage stage;
    stage.arguments = {directory};
    stage.object = directory;
    stage.happened = [name](const Seen& seen) {
        return seen.output.find(name) != std::string::npos;
    };
    return stage;
}

core::Result<Stage> ignored_file(Ground& ground) {
    auto stage = protected_name(ground, "ignored.key");
    if (!stage) return stage;
    const std::string text = ground.fresh_text();
    for (const auto& [path, content] :
         {std::pair{ground.workspace() + "/.sbxignore", std::string("*.key\n")},
          std::pair{stage->object, text}}) {
        if (auto made = write_file(path, content); !made) return core::fail(made.error());
    }
    stage->happened = [text](const Seen& seen) {
        return seen.output.find(text) != std::string::npos;
    };
    return stage;
}

core::Result<Stage> variable(Ground& ground) {
    const std::string text = ground.fresh_text();
    Stage stage;
    stage.arguments = {secret_variable};
    stage.variables = {std::string(secret_variable) + "=" + text};
    stage.happened = [text](const Seen& seen) {
        return seen.output.find(text) != std::string::npos;
    };
    return stage;
}

constexpr policy::Access r = policy::Access::read;

constexpr Effect effects[] = {
    {"secrets.read", "read a private key", secret_file, read_plainly, r},
    {"secrets.read-cloexec", "read a private key as most programs open files", secret_file,
     read_as_programs_do, r},
    {"secrets.from-directory", "read a private key from its directory's descriptor", secret_file,
     read_from_directory, r},
    {"secrets.symlink", "read a private key through a symbolic link", secret_file,
     read_through_link, r},
    {"secrets.proc-root", "read a private key by way of /proc/self/root", secret_file,
     read_from_root_link, r},
    {"secrets.reopen", "read a private key by opening a descriptor again", secret_file,
     read_reopened, r},
    {"secrets.link", "read a private key through a hard link", secret_file, read_hard_link, r},
    {"secrets.move", "read a private key after moving it", secret_file, read_moved, r},
    {"secrets.list", "list the directory of private keys", secret_directory, list, r},
    {"secrets.ignored", "read what .sbxignore names", ignored_file, read_as_programs_do, r},
    {"secrets.environment", "see a token in the environment", variable, show_variable},
};

}  // namespace

std::span<const Effect> secret_effects() {
    return effects;
}

}  // namespace ctl::verify
