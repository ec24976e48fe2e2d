// The built-in policy, by what it decides.
#include "policy/builtin.h"

#include <doctest/doctest.h>

#include "fake_tree.h"
#include "policy/expand.h"

using namespace policy;
using namespace std::string_literals;

namespace {

const Policy& builtin() {
    static const Policy policy = load_user("");
    return policy;
}

Policy root_policy(const std::string& text) {
    auto policy = load({{Level::user, "p", text}}, usual_variables_of_root(), FakeSurroundings());
    REQUIRE(policy);
    return *std::move(policy);
}

void expect(Access access, std::string_view wanted, std::initializer_list<const char*> paths) {
    for (const char* path : paths) CHECK_MESSAGE(rule_for(builtin(), access, path) == wanted, path);
}

}  // namespace

TEST_CASE("every pattern of the table compiles, and every refusal to read is literal") {
    const VariableTable table(usual_variables_of_root(), VariableTable::Reach::everywhere);
    for (const BuiltinRule& rule : builtin_rules()) {
        if ((rule.accesses & (set_of(Access::connect) | set_of(Access::bind))) != 0) continue;
        for (const auto& patterns : {rule.patterns, rule.excepts}) {
            for (const std::string_view text : patterns) {
                if (text.starts_with('@')) continue;
                Glob::Problem problem;
                const auto expanded = expand_pattern(text, table, problem);
                REQUIRE_MESSAGE(expanded, text);
                REQUIRE_MESSAGE(!expanded->empty(), text);
                for (const std::string& path : *expanded)
                    REQUIRE_MESSAGE(Pattern::compile(path, problem), text);
            }
        }
    }
    CHECK(builtin().read_mode() == ReadMode::fixed);
}

TEST_CASE("secrets can be neither read nor written, what lies beside them can be read") {
    expect(Access::read, "deny secret.ssh",
           {"/home/u/.ssh", "/home/u/.ssh/id_rsa", "/home/u/.ssh/authorized_keys"});
    expect(Access::read, "allow fs.read.default",
           {"/home/u/.ssh/known_hosts", "/home/u/.ssh/config", "/home/u/.ssh/id_rsa.pub",
            "/home/u/notes", "/etc/passwd", "/etc/ssh/ssh_config", "/usr/lib/x.so",
            "/home/u/.config/git/config"});
    expect(Access::write, "deny secret.ssh-files",
           {"/home/u/.ssh/id_rsa", "/home/u/.ssh/known_hosts", "/home/u/.ssh/config"});
    expect(Access::read, "deny secret.keys",
           {"/home/u/.gnupg/private-keys-v1.d/x", "/home/u/.password-store/a.gpg"});
    expect(Access::read, "deny secret.cloud",
           {"/home/u/.aws/credentials", "/home/u/.config/gcloud/credentials.db", "/home/u/.azure/x",
            "/home/u/.kube/config", "/home/u/.vault-token",
            "/home/u/.terraform.d/credentials.tfrc.json"});
    expect(Access::read, "deny secret.tokens",
           {"/home/u/.docker/config.json", "/home/u/.netrc", "/home/u/.npmrc", "/home/u/.pypirc",
            "/home/u/.config/gh/hosts.yml", "/home/u/.git-credentials",
            "/home/u/.cargo/credentials.toml", "/home/u/.gem/credentials"});
    expect(Access::read, "deny secret.browsers",
           {"/home/u/.mozilla/firefox/x/logins.json",
            "/home/u/.config/google-chrome/Default/Cookies"});
    expect(Access::read, "deny secret.histories",
           {"/home/u/.bash_history", "/home/u/.zsh_history", "/home/u/.python_history",
            "/home/u/.node_repl_history", "/home/u/.psql_history", "/home/u/.mysql_history",
            "/home/u/.lesshst", "/home/u/.viminfo"});
    expect(Access::read, "deny secret.keyrings", {"/home/u/.local/share/keyrings/login.keyring"});
    expect(Access::read, "deny secret.system",
           {"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/ssh/ssh_host_ed25519_key",
            "/etc/sudoers", "/etc/sudoers.d/x"});
    expect(Access::write, "deny secret.tokens", {"/home/u/.netrc"});
    expect(Access::read, "deny sbxsh.state", {"/home/u/.local/state/sbxsh/audit.jsonl"});
}

TEST_CASE("the usual secrets of other people are out of reach, and nothing of theirs is writable") {
    const Policy policy = root_policy("");
    const auto each = [&](Access access, std::string_view wanted,
                          std::initializer_list<const char*> paths) {
        for (const char* path : paths)
            CHECK_MESSAGE(rule_for(policy, access, path) == wanted, path);
    };
    each(Access::read, "deny secret.others",
         {"/home/v/.ssh/id_ed25519", "/home/v/.aws/credentials", "/home/v/.netrc",
          "/home/v/.config/gh/hosts.yml", "/home/v/.bash_history"});
    each(Access::write, "deny secret.others", {"/home/v/.ssh/authorized_keys"});
    each(Access::unix_connect, "deny secret.others",
         {"/home/v/.gnupg/S.gpg-agent", "/home/v/.docker/run/docker.sock"});
    each(Access::read, "allow fs.read.default", {"/home/v/notes", "/home/v/.config/git/config"});
    each(Access::write, "deny fs.write.outside-workspace", {"/home/v/.npm/x", "/home/v/x"});
    each(Access::read, "deny secret.tokens", {"/home/u/.netrc"});
    CHECK(policy.literal_below(Access::read, "/home/v"));
    CHECK(policy.read_mode() == ReadMode::fixed);
}

TEST_CASE("a written rule for {home} holds in the homes of other people, too") {
    const Policy policy = root_policy("[[rule]]\nid='x'\naccess='read'\ndeny='{home}/plans'\n");
    CHECK(rule_for(policy, Access::read, "/home/v/plans") == "deny x");
    CHECK(rule_for(policy, Access::read, "/home/u/plans") == "deny x");
}

TEST_CASE("harmless devices are open, others are not") {
    expect(Access::read, "allow fs.read.default",
           {"/dev", "/dev/null", "/dev/urandom", "/dev/tty", "/dev/pts", "/dev/pts/ptmx",
            "/dev/shm/x"});
    expect(Access::read, "deny terminal.outside", {"/dev/pts/0", "/dev/pts/37"});
    expect(Access::write, "deny terminal.outside", {"/dev/pts/0", "/dev/pts/37"});
    expect(Access::read, "deny fs.read.device",
           {"/dev/sda", "/dev/mem", "/dev/kmsg", "/dev/input/event0"});
    expect(Access::write, "allow fs.write.device",
           {"/dev/null", "/dev/tty", "/dev/pts/ptmx", "/dev/ptmx"});
    expect(Access::write, "deny fs.write.outside-workspace", {"/dev/sda", "/dev"});
    CHECK_FALSE(builtin().may_refuse_below(Access::write, "/dev/null"));
    CHECK(builtin().literal_below(Access::read, "/dev"));
}

TEST_CASE(
    "the workspace, temporary directories and tool caches are writable, what runs later is not") {
    expect(Access::write, "allow fs.write.workspace",
           {"/home/u/app", "/home/u/app/src/x.c", "/home/u/app/.gitignore",
            "/home/u/app/.gitmodules", "/home/u/app/.npmrc"});
    expect(Access::write, "allow fs.write.temporary", {"/tmp/x", "/dev/shm/x"});
    expect(Access::write, "allow fs.write.cache",
           {"/home/u/.cache/pip/x", "/home/u/.npm/_cacache/x", "/home/u/.cargo/registry/x",
            "/home/u/go/pkg/mod/x", "/home/u/.gradle/caches/x", "/home/u/.m2/repository/x",
            "/home/u/.local/share/pnpm/store/x"});
    expect(Access::write, "deny fs.write.outside-workspace",
           {"/etc/hosts", "/home/u/x", "/", "/usr/bin/x", "/home/u/.cargo/x", "/home/u/app2/x"});
    expect(Access::write, "deny protect.shell",
           {"/home/u/go/bin/x", "/home/u/.cargo/bin/x", "/home/u/.local/bin/x", "/home/u/.bashrc"});
    expect(Access::write, "deny protect.cache-programs", {"/home/u/.gradle/init.d/x.gradle"});
    expect(Access::write, "deny secret.tokens",
           {"/home/u/.m2/settings.xml", "/home/u/.gradle/gradle.properties"});
}

TEST_CASE("files that others run are protected at any depth of the workspace, existing or not") {
    expect(Access::write, "deny protect.editor",
           {"/home/u/app/.vscode", "/home/u/app/.vscode/settings.json", "/home/u/app/a/b/.idea/x",
            "/home/u/app/x.code-workspace"});
    expect(Access::write, "deny protect.cursor",
           {"/home/u/app/.cursor", "/home/u/app/.cursor/mcp.json", "/home/u/app/sub/.cursor/x"});
    expect(Access::write, "allow fs.write.workspace",
           {"/home/u/app/.cursor/rules/a.mdc", "/home/u/app/.cursor/commands/x",
            "/home/u/app/.cursor/agents/x", "/home/u/app/.cursor/skills/x",
            "/home/u/app/.cursor/worktrees/x"});
    expect(Access::write, "deny protect.agent",
           {"/home/u/app/.claude/settings.json", "/home/u/app/.claude/settings.local.json",
            "/home/u/app/a/.claude/hooks/x", "/home/u/app/.claude/commands/x",
            "/home/u/app/.claude/agents/x", "/home/u/app/.mcp.json"});
    expect(Access::write, "allow fs.write.workspace",
           {"/home/u/app/.claude/notes.md", "/home/u/app/CLAUDE.md"});
    expect(Access::write, "deny protect.direnv", {"/home/u/app/.envrc", "/home/u/app/x/.envrc"});
    expect(Access::write, "deny protect.shell",
           {"/home/u/app/.bashrc", "/home/u/app/d/.zshenv", "/home/u/app/.profile"});
    expect(Access::write, "deny protect.ignore-file",
           {"/home/u/app/.sbxignore", "/home/u/app/d/.cursorignore"});
    expect(Access::write, "deny protect.policy", {"/home/u/app/.sbxsh.toml"});
    expect(Access::write, "allow fs.write.workspace",
           {"/home/u/app/node_modules/x/.vscode/settings.json",
            "/home/u/app/p/node_modules/@s/x/.envrc"});
    expect(Access::write, "allow fs.write.temporary",
           {"/tmp/x/.vscode/settings.json", "/tmp/.bashrc"});
    expect(Access::write, "allow fs.write.cache",
           {"/home/u/.cargo/registry/src/x/.vscode/settings.json"});
}

TEST_CASE("parts of repositories that git trusts are protected wherever writing is allowed") {
    expect(Access::write, "deny git.hooks",
           {"/home/u/app/.git/hooks", "/home/u/app/.git/hooks/pre-commit", "/tmp/r/.git/hooks/x",
            "/home/u/.cargo/git/db/.git/hooks/x"});
    expect(Access::write, "deny git.config",
           {"/home/u/app/.git/config", "/home/u/app/.git/modules/m/config"});
    expect(Access::write, "deny git.attributes", {"/home/u/app/.git/info/attributes"});
    expect(Access::write, "deny git.pointer", {"/home/u/app/sub/.git"});
    expect(Access::write, "allow fs.write.workspace",
           {"/home/u/app/.git/hooks/pre-commit.sample", "/home/u/app/.git/index",
            "/home/u/app/.git/config.lock", "/home/u/app/.git/HEAD"});
    CHECK(builtin()
              .decide(Access::write, "/home/u/app/.git/config", {}, FakeTree())
              .rule->inspection == Inspection::git_config);
    CHECK(
        builtin().decide(Access::write, "/home/u/app/sub/.git", {}, FakeTree()).rule->inspection ==
        Inspection::git_pointer);
    CHECK(builtin()
              .decide(Access::write, "/home/u/app/.git/hooks/x", {}, FakeTree())
              .rule->inspection == Inspection::none);
}

TEST_CASE("the sockets of services outside are refused by name, others by default") {
    const auto rule = [](std::string_view name) {
        return builtin().decide_unix(Access::unix_connect, name).rule->id;
    };
    CHECK(rule("/run/docker.sock") == "unix.docker");
    CHECK(rule("/run/containerd/containerd.sock") == "unix.containerd");
    CHECK(rule("/run/systemd/private") == "unix.systemd");
    CHECK(rule("/run/user/1000/systemd/private") == "unix.systemd");
    CHECK(rule("/run/user/1000/bus") == "unix.dbus");
    CHECK(rule("/tmp/.X11-unix/X0") == "unix.display");
    CHECK(rule("@/tmp/.X11-unix/X0") == "unix.display");
    CHECK(rule("/run/user/1000/wayland-0") == "unix.display");
    CHECK(rule("/tmp/tmux-1000/default") == "unix.multiplexer");
    CHECK(rule("/run/screen/S-u/1.x") == "unix.multiplexer");
    CHECK(rule("/tmp/ssh-abc/agent.1") == "unix.agent");
    CHECK(rule("/run/user/1000/gnupg/S.gpg-agent") == "unix.agent");
    CHECK(rule("/tmp/own/server.sock") == "unix.connect.default");
    CHECK(rule("@own") == "unix.connect.default");
    CHECK_FALSE(builtin().decide_unix(Access::unix_connect, "@own").allowed());
    CHECK(builtin().decide_unix(Access::unix_bind, "/tmp/own/server.sock").allowed());
    CHECK_FALSE(builtin().decide_unix(Access::unix_bind, "/run/user/1000/bus").allowed());
}

TEST_CASE("nothing is connected to, and servers listen on loopback only") {
    const auto endpoint = [](std::string address) {
        return Endpoint{std::move(address), 80, false};
    };
    CHECK(builtin().decide(Access::connect, endpoint("\x7f\0\0\1"s)).rule->id ==
          "net.connect.default");
    CHECK_FALSE(builtin().decide(Access::connect, endpoint("\x01\x02\x03\x04")).allowed());
    CHECK(builtin().decide(Access::bind, endpoint("\x7f\0\0\1"s)).rule->id == "net.bind.loopback");
    CHECK(builtin().decide(Access::bind, endpoint("\0\0\0\0"s)).rule->id == "net.bind.default");
}

TEST_CASE("what is outside the sandbox is out of reach") {
    for (const auto& [access, id] : {std::pair{Access::signal, "process.signal.outside"},
                                     {Access::inspect, "process.inspect.outside"},
                                     {Access::ipc, "ipc.outside"},
                                     {Access::kernel, "kernel.call"}}) {
        CHECK_FALSE(builtin().decide_outside(access).allowed());
        CHECK(builtin().decide_outside(access).rule->id == id);
    }
    CHECK(load_user("[[rule]]\nid='s'\naccess='signal'\nallow='*'\n")
              .decide_outside(Access::signal)
              .allowed());
}

TEST_CASE("what git's configuration names cannot be changed") {
    const policy::Variables variables = usual_variables();
    for (const std::string& path : variables.git_runs) {
        expect(Access::write, "deny git.named", {path.c_str(), (path + "/below").c_str()});
    }
}
