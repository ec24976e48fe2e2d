"""`sbxctl doctor --verify` finds that the sandbox holds, whatever the user's rules say, and leaves nothing behind."""
import glob
import signal

from case import *


def verify(*arguments, **options):
    """The finished command and the outcome of each effect."""
    result = shell(SBXCTL, "doctor", "--verify", "--json", *arguments, **options)
    try:
        document = json.loads(result.stdout)
    except ValueError:
        fail("not JSON", result)
    return result, document, {effect["id"]: effect for effect in document["effects"]}


def left_behind():
    return [path for path in glob.glob("/var/tmp/sbxctl-verify.*") if os.lstat(path).st_uid == os.getuid()]


def wrapper(name, text):
    """A program that stands in for sbxsh."""
    path = f"{ROOT}/{name}"
    with open(path, "w") as file:
        file.write("#!/bin/bash\n" + text)
    os.chmod(path, 0o755)
    return path


user_policy('[[rule]]\nid = "my.all"\naccess = ["write", "unix-connect"]\nallow = "/**"\noverride = true\n')
result, document, real = verify()
check(result.returncode == 0 and document["verified"], "did not hold", result)
check(document["sbxsh"] == SBXSH and not document["problem"], "tried with another program", result)
for effect in real.values():
    good = {"attack": ("held", "not-tried"), "use": ("works",)}[effect["kind"]]
    check(effect["outcome"] in good, f"{effect}", result)
    check((effect["detail"] == "") == (effect["outcome"] != "not-tried"), f"{effect}", result)
# What every machine can be asked.
for name in ("files.write", "files.create", "files.rename", "files.link-through", "metadata.chmod", "metadata.fchmod",
             "metadata.chown", "secrets.read", "secrets.list", "secrets.environment", "later.hook",
             "later.hooks-path-moved", "later.envrc", "sockets.tcp", "sockets.udp", "sockets.unix", "sockets.abstract",
             "processes.kill", "ipc.memory"):
    check(real[name]["outcome"] == "held", f"{real[name]}", result)
check(not left_behind(), f"left behind: {left_behind()}")

# As text it says the same.
result = shell(SBXCTL, "doctor", "--verify", "--sbxsh", SBXSH)
check(result.returncode == 0 and not result.stderr, "did not hold", result)
check("  held           write a git hook\n" in result.stdout, "no line for an effect", result)
check(result.stdout.endswith(" work\nthe sandbox holds\n") or "not tried\nthe sandbox holds\n" in result.stdout,
      "no line that sums up", result)

# It can fail: without a sandbox every attack that was held is seen to happen.
result, document, bare_shell = verify("--sbxsh", wrapper("bare", 'exec /bin/bash "$@"\n'))
check(result.returncode == 1 and not document["verified"], "bash passes for a sandbox", result)
for name, effect in bare_shell.items():
    if name == "use.report":
        wanted = "does-not-work"
    else:
        wanted = {"held": "not-held"}.get(real[name]["outcome"], real[name]["outcome"])
    check(effect["outcome"] == wanted, f"{name} is {effect['outcome']}, not {wanted}", result)
result = shell(SBXCTL, "doctor", "--verify", f"--sbxsh={ROOT}/bare")
check(result.returncode == 1 and result.stdout.endswith("the sandbox does NOT hold\n"), "no verdict", result)
check("  did NOT hold   write a git hook\n" in result.stdout, "no line for an effect", result)

# A single hole is found, and nothing else is blamed.
with open(ROOT + "/hole.toml", "w") as file:
    file.write('[[rule]]\nid = "a.hole"\naccess = "unix-connect"\nallow = "/var/tmp/sbxctl-verify.*/outside/**"\n')
result, document, holed = verify("--sbxsh", wrapper("holed", f'exec {SBXSH} --sbx-policy {ROOT}/hole.toml "$@"\n'))
different = {name for name in real if holed[name]["outcome"] != real[name]["outcome"]}
check(different == {"sockets.unix", "sockets.unix-datagram"}, f"other outcomes: {different}", result)
check(all(holed[name]["outcome"] == "not-held" for name in different), "the hole is not one", result)
check(result.returncode == 1, "a hole passes", result)

# A sandbox that runs nothing does not pass for one that holds.
result, document, nothing = verify("--sbxsh", wrapper("nothing", "exit 0\n"))
check(result.returncode == 1, "nothing at all passes", result)
check(not [e for e in nothing.values() if e["outcome"] in ("held", "works")], "something was said to hold", result)

# One that refuses to start is quoted.
with open(ROOT + "/broken.toml", "w") as file:
    file.write("nonsense = 1\n")
broken = wrapper("broken", f'exec {SBXSH} --sbx-policy {ROOT}/broken.toml "$@"\n')
result = shell(SBXCTL, "doctor", "--verify", "--sbxsh", broken)
said = shell(broken, "-c", "true")
check(said.returncode == 125, "the policy is not broken", said)
reason = said.stderr.splitlines()[0].removeprefix("sbxsh: ")
check(result.returncode == 1, "a sandbox that does not start passes", result)
check(f"nothing could be tried: the sandbox: cannot start a command: {reason}; " in result.stdout, reason, result)
result = shell(SBXCTL, "doctor", "--verify", "--sbxsh", ROOT + "/absent")
check(result.returncode == 1, "an absent program passes", result)
check(result.stdout == f"tried with {ROOT}/absent\nnothing could be tried: the sandbox: cannot start a command: it cannot be "
      "executed: No such file or directory\n", "not said what is wrong", result)

# From inside nothing can be looked at, which is no success either.
result = sbx(f"{SBXCTL} doctor --verify")
check(result.returncode == 1 and "inside a sandbox" in result.stdout, "passes from inside", result)

# It needs neither a directory to stand in nor standard descriptors.
os.mkdir(ROOT + "/gone")
result = shell("/bin/bash", "-c", 'cd "$1"; rmdir "$1"; exec "$2" doctor --verify <&- 2>&-', "-", ROOT + "/gone", SBXCTL)
check(result.returncode == 0 and result.stdout.endswith("the sandbox holds\n"), "does not hold there", result)

# Misuse.
for words, text in ((["--sbxsh"], "--sbxsh needs a path"), (["x"], "doctor --verify takes no argument 'x'")):
    result = shell(SBXCTL, "doctor", "--verify", *words)
    check(result.returncode == 2 and text in result.stderr, "misuse passes", result)

# A signal ends it as it would any program, and nothing is left behind.
check(not left_behind(), f"left behind: {left_behind()}")
for number in (signal.SIGTERM, signal.SIGINT):
    child = subprocess.Popen([SBXCTL, "doctor", "--verify"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(left_behind, "the directory to play in")
    child.send_signal(number)
    stdout, stderr = child.communicate(timeout=60)
    check(child.returncode == -number and not stdout, f"ended otherwise: {child.returncode} {stdout!r} {stderr!r}")
    check(not left_behind(), f"left behind: {left_behind()}")
