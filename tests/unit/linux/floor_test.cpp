// What the kernel grants under a floor, tried by a child that puts it in force.
#include "linux/floor.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <functional>

#include "os/fd.h"
#include "serving.h"

namespace {

class Floored {
  public:
    /// Builds the floor for a policy in which reading `refused` (names in the folder) is denied.
    Floored(const serving::Folder& folder, const std::string& refused)
        : policy_(load(folder, refused)) {}

    /// Whether a child under the floor can open each of `paths`: a text of '+' and '-'.
    std::string opens(
        const std::vector<std::string>& paths, const std::function<void()>& before = [] {}) const {
        int ends[2];
        REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
        const pid_t child = ::fork();
        if (child == 0) {
            before();
            const os::RealTree tree;
            const auto floor = linux_backend::build_floor(policy_, tree, {});
            if (!floor || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                linux_backend::enforce_floor(floor->ruleset.get()) != 0)
                ::_exit(1);
            for (const std::string& path : paths) {
                const os::Fd opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
                if (::write(ends[1], opened ? "+" : "-", 1) != 1) ::_exit(1);
            }
            ::_exit(0);
        }
        ::close(ends[1]);
        std::string answers;
        for (char answer; ::read(ends[0], &answer, 1) == 1;) answers += answer;
        ::close(ends[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(status == 0);
        return answers;
    }

  private:
    static policy::Policy load(const serving::Folder& folder, const std::string& refused) {
        policy::Variables variables;
        variables.homes = {folder("home")};
        const std::string text = "[[rule]]\naccess='read'\ndeny=[" + refused + "]\n";
        auto policy =
            policy::load({{policy::Level::user, "p", text}}, variables, serving::NoSurroundings());
        REQUIRE(policy);
        return *std::move(policy);
    }

    policy::Policy policy_;
};

}  // namespace

TEST_CASE(
    "under the floor the siblings of a refused name can be read, and the name cannot, made before "
    "or after") {
    const serving::Folder folder;
    folder.write("o/a/secret", "");
    folder.write("o/a/open", "");
    folder.write("o/a/deep/er/open", "");
    folder.write("o/b/open", "");
    const Floored floored(folder, "'" + folder("o/a/secret") + "','" + folder("o/b/later") + "'");
    CHECK(floored.opens({folder("o/a/secret"), folder("o/a/open"), folder("o/a/deep/er/open"),
                         folder("o/b/open"), "/usr/bin"}) == "-++++");
    folder.write("o/b/later", "");
    CHECK(floored.opens({folder("o/b/later"), folder("o/b/open")}) == "-+");
}

TEST_CASE("a floor of more rules than there may be descriptors leaves nothing out") {
    const serving::Folder folder;
    std::vector<std::string> paths;
    for (int i = 0; i < 150; ++i) {
        const std::string name = "o/" + std::to_string(i);
        folder.write(name, "");
        paths.push_back(folder(name));
    }
    const Floored floored(folder, "'" + folder("o/secret") + "'");
    const auto few_descriptors = [] {
        const rlimit limit = {24, 24};
        ::setrlimit(RLIMIT_NOFILE, &limit);
    };
    CHECK(floored.opens(paths, few_descriptors) == std::string(150, '+'));
}

TEST_CASE(
    "a plain user is granted whole what only the machine's secrets narrow, and still cannot read "
    "them") {
    if (::getuid() != 0) return;
    const serving::Folder folder;
    const Floored floored(folder, "'" + folder("o/secret") + "'");
    const auto plain = [] {
        if (::setresgid(65534, 65534, 65534) != 0 || ::setgroups(0, nullptr) != 0 ||
            ::setresuid(65534, 65534, 65534) != 0)
            ::_exit(1);
    };
    CHECK(floored.opens({"/etc/shadow", "/etc/passwd", "/etc/ssl"}, plain) == "-++");
}
