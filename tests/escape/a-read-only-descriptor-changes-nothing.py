"""A descriptor of a file outside that is open for reading only changes neither the file nor its metadata."""
import os
import stat
import subprocess

from case import *

HOWS = ["fchmod", "fchmodat2", "fchown", "fchownat", "futimens", "utimensat-empty", "futimesat", "fsetxattr", "fremovexattr", "setflags", "setproject",
        "reopen-proc", "reopen-thread", "reopen-dev", "reopen-truncate", "chmod-proc", "chown-proc", "truncate-proc", "setxattr-proc", "utime-proc"]
MAY_LACK = {"fchmodat2", "setproject", "setflags"}


def fresh(path):
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "w") as file:
        file.write("untouched\n")
    os.setxattr(path, "user.old", b"1")
    os.utime(path, (1000, 1000))


def seen(path):
    info = os.stat(path)
    flags = subprocess.run(["lsattr", "-d", path], capture_output=True, text=True).stdout.split(" ")[0]
    return (stat.S_IMODE(info.st_mode), info.st_uid, info.st_gid, info.st_size, info.st_mtime_ns, info.st_ctime_ns, content(path),
            sorted(os.listxattr(path)), flags)


def attempt(how, path, arguments, stdin):
    """The command by which HOW is tried, inside and outside, on the same file."""
    def run_it(wrapper):
        with open(path) as file:
            return subprocess.run([*wrapper, f"{ATTACK}/by_descriptor", how, *arguments], stdin=file if stdin else subprocess.DEVNULL,
                                  capture_output=True, text=True)

    fresh(path)
    before = seen(path)
    inside = run_it([SBXSH, "-c", '"$@"', "-"])
    check(seen(path) == before, f"{how} {arguments} changed {path}: {before} -> {seen(path)}", inside)
    check(inside.returncode != 0, f"{how} {arguments}: said to have succeeded", inside)
    if inside.returncode == 1:
        check("sbxsh: blocked: " in inside.stderr and path in inside.stderr, f"{how} {arguments}: not reported", inside)
    outside = run_it([])
    if outside.returncode == 3 and how in MAY_LACK:
        return
    check(seen(path) != before, f"control: {how} {arguments} changes nothing without a sandbox either", outside)
    check(inside.returncode == 1, f"{how} {arguments}: not refused as an ordinary refusal", inside)


os.mkdir(".vscode")
for path in (OUTSIDE + "/target", W + "/.vscode/target"):
    for how in HOWS:
        attempt(how, path, [path], stdin=False)
        attempt(how, path, ["0"], stdin=True)
for how in ("chmod-proc", "fchownat", "utimensat-empty", "reopen-proc"):
    attempt(how, OUTSIDE + "/target", [OUTSIDE + "/target", "path-only"], stdin=False)
# In the workspace all of it works.
for how in HOWS:
    path = W + "/mine"
    fresh(path)
    before = seen(path)
    result = shell(SBXSH, "-c", '"$@"', "-", f"{ATTACK}/by_descriptor", how, path)
    if result.returncode == 3 and how in MAY_LACK:
        continue
    check(result.returncode == 0 and seen(path) != before, f"{how} does not work in the workspace", result)
    check(result.stderr == "", "something was said", result)
