"""Terminals of other sessions cannot be opened, read, written or changed by any way to their names; without a sandbox they can."""
import os
import pty
import re
import stat

from case import *

OPEN = r'''
import os, sys
name, kind, flags = sys.argv[1], sys.argv[2], int(sys.argv[3])
path, options = name, {}
if kind == "root": path = "/proc/self/root" + name
if kind == "dots": path = "/dev/../dev/pts/../pts/" + os.path.basename(name)
if kind == "link":
    if os.path.lexists("tty-link"): os.unlink("tty-link")
    os.symlink(name, "tty-link")
    path = "tty-link"
if kind == "directory": path, options = os.path.basename(name), {"dir_fd": os.open("/dev/pts", os.O_RDONLY | os.O_DIRECTORY)}
if kind == "descriptor": path = "/proc/self/fd/%d" % os.open(name, os.O_PATH)
fd = os.open(path, flags | os.O_NONBLOCK, **options)
print("opened")
if flags & os.O_ACCMODE: os.write(fd, b"typed")
'''
MODES = {"read": os.O_RDONLY, "read without control": os.O_RDONLY | os.O_NOCTTY, "write": os.O_WRONLY, "both": os.O_RDWR | os.O_NOCTTY}

for setting in ("rules of plain paths", "a rule that has each open seen"):
    if setting != "rules of plain paths":
        user_policy("[[rule]]\nid = 'observed'\naccess = 'read'\ndeny = '{workspace}/**/*.hidden'\n")
    for mode, flags in MODES.items():
        for kind in ("path", "root", "dots", "link", "directory", "descriptor"):
            master, slave = pty.openpty()
            os.set_blocking(master, False)
            name = os.ttyname(slave)
            result, found = denials('exec python3 -c "$@"', "-", OPEN, name, kind, str(flags))
            check("opened" not in result.stdout, f"{setting}: {mode} by {kind} of {name}", result)
            try:
                fail(f"{mode} by {kind}: arrived: {os.read(master, 100)}", result)
            except BlockingIOError:
                pass
            check(any(d["rule"] == "terminal.outside" and d["object"] == name for d in found) or flags & os.O_ACCMODE == 0,
                  f"{mode} by {kind}: not named: {found}", result)
            if setting == "rules of plain paths":
                control = shell("python3", "-c", OPEN, name, kind, str(flags))
                check(control.stdout == "opened\n", f"control: {mode} by {kind}", control)
            os.close(master)
            os.close(slave)

    # What a shell and cat(1) do for reading.
    master, slave = pty.openpty()
    name = os.ttyname(slave)
    os.write(master, b"secret\n")
    result = sbx(f"cat {name}; read -r line <{name} && echo $line")
    check("secret" not in result.stdout and f"blocked: read {name}" in result.stderr and "rule: terminal.outside (built in)" in result.stderr,
          f"{setting}: read, or not named", result)
    check(bare(f"read -r line <{name} && echo $line").stdout == "secret\n", "control: read")
    os.close(master)
    os.close(slave)

# Its mode.
master, slave = pty.openpty()
name = os.ttyname(slave)
before = os.stat(name).st_mode
result = sbx(f"chmod 666 {name}")
check(os.stat(name).st_mode == before and f"change the mode of {name}" in result.stderr, "its mode was changed", result)
check(bare(f"chmod 666 {name}").returncode == 0 and stat.S_IMODE(os.stat(name).st_mode) == 0o666, "control: chmod")
result = shell(SBXCTL, "explain", "write", name)
check(result.stdout.startswith(f"write {name}: denied by terminal.outside (built in): "
                               "only the command's own terminals and those made inside may be opened\n"), "not explained", result)
os.close(master)
os.close(slave)

# A terminal that gets the number of one that was open inside before is another one.
REUSE = r'''
import os, sys, time
def tries(name):
    said = []
    for flags in (os.O_RDWR | os.O_NOCTTY, os.O_RDONLY, os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC, os.O_WRONLY | os.O_NOCTTY):
        try:
            os.close(os.open(name, flags))
            said.append("opened")
        except OSError as error:
            said.append(error.strerror)
    return "; ".join(said)
def wait(name):
    while not os.path.exists(name): time.sleep(0.02)
if sys.argv[1] == "made":
    master, slave = os.openpty()
    name = os.ttyname(slave)
    print(tries(name), flush=True)
    os.close(slave); os.close(master)
else:
    name = os.ttyname(0)
    print(tries(name), flush=True)
    os.close(0)
open("name", "w").write(name)
wait("taken")
print(tries(name))
sys.exit(1)
'''
os.unlink(HOME + "/.config/sbxsh/policy.toml")
DENIED = "; ".join(["Permission denied"] * 4)


def taken_by_others(name):
    """A terminal made here that is called `name`; the kernel gives the lowest free number."""
    def take():
        pair = pty.openpty()
        if os.ttyname(pair[1]) == name:
            return pair
        passed.append(pair)
    passed = []
    found = wait_for(take, f"another terminal becomes {name}")
    for fd in sum(passed, ()):
        os.close(fd)
    return found


for kind, first in (("made", "opened; Permission denied; Permission denied; opened"), ("inherited", "opened; opened; opened; opened")):
    for file in ("name", "taken"):
        if os.path.exists(file):
            os.unlink(file)
    master, slave = pty.openpty()
    if kind == "made":
        os.close(master)
        os.close(slave)
    child = subprocess.Popen([SBXSH, "-c", 'exec python3 -c "$@"', "-", REUSE, kind], stdin=slave if kind == "inherited" else subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: os.path.exists("name") and content("name"), "a terminal was opened inside")
    if kind == "inherited":
        os.close(master)
        os.close(slave)
    others = taken_by_others(content("name"))
    open("taken", "w").close()
    stdout, stderr = child.communicate()
    check(stdout == f"{first}\n{DENIED}\n", f"{kind}: {stdout!r} {stderr!r}")
    check("terminal.outside" in stderr, f"{kind}: not named: {stderr!r}")
    for fd in others:
        os.close(fd)

# Two sandboxes of one workspace on two terminals: each has its own.
first, second = pty.openpty(), pty.openpty()
names = [os.ttyname(pair[1]) for pair in (first, second)]
TRY = 'for t in "$@"; do (: <>"$t") 2>/dev/null && echo "$t"; done; [ -z "$GO" ] || until [ -e go ]; do sleep 0.05; done'
older = subprocess.Popen([SBXSH, "-c", 'until [ -e later ]; do sleep 0.05; done; ' + TRY, "-", *names], stdin=first[1],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "GO": ""})
later = subprocess.Popen([SBXSH, "-c", "touch later; " + TRY, "-", *names], stdin=second[1], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, env={**os.environ, "GO": "yes"})
older_said = older.communicate()[0]
open("go", "w").close()
check([older_said, later.communicate()[0]] == [name + "\n" for name in names], f"each opened: {older_said!r}")
