"""Each system call that changes something, tried on what may not be changed: refused, and named with its rule and object."""
import os
import subprocess

from case import *

AT, REMOVEDIR, O_WRONLY, O_CREAT, O_TRUNC = "i:-100", 0x200, 1, 0o100, 0o1000
S_IFREG, S_IFIFO = 0o100000, 0o010000
X = OUTSIDE
IN = W + "/a.txt"
# (name, number, arguments, object named). x is a file outside, d a directory with nothing in it, n nothing yet.
CALLS = [
    ("open", 2, [f"s:{X}/x", f"i:{O_WRONLY}"], "x"),
    ("open", 2, [f"s:{X}/x", f"i:{O_TRUNC}"], "x"),
    ("open", 2, [f"s:{X}/n", f"i:{O_WRONLY | O_CREAT}", "i:420"], "n"),
    ("openat", 257, [AT, f"s:{X}/x", f"i:{O_WRONLY}"], "x"),
    ("openat", 257, [f"d:{X}", "s:n", f"i:{O_WRONLY | O_CREAT}", "i:420"], "n"),
    ("openat", 257, [AT, f"s:{X}", f"i:{O_WRONLY | 0o20200000}", "i:420"], ""),
    ("creat", 85, [f"s:{X}/n", "i:420"], "n"),
    ("mkdir", 83, [f"s:{X}/n", "i:493"], "n"),
    ("mkdirat", 258, [f"d:{X}", "s:n", "i:493"], "n"),
    ("rmdir", 84, [f"s:{X}/d"], "d"),
    ("unlink", 87, [f"s:{X}/x"], "x"),
    ("unlinkat", 263, [f"d:{X}", "s:x", "i:0"], "x"),
    ("unlinkat", 263, [AT, f"s:{X}/d", f"i:{REMOVEDIR}"], "d"),
    ("rename", 82, [f"s:{X}/x", f"s:{W}/taken"], "x"),
    ("rename", 82, [f"s:{IN}", f"s:{X}/n"], "n"),
    ("renameat", 264, [f"d:{X}", "s:x", AT, f"s:{W}/taken"], "x"),
    ("renameat2", 316, [AT, f"s:{IN}", AT, f"s:{X}/n", "i:1"], "n"),
    ("renameat2", 316, [AT, f"s:{IN}", AT, f"s:{X}/x", "i:2"], "x"),
    ("renameat2", 316, [AT, f"s:{X}/x", AT, f"s:{W}/taken", "i:1"], "x"),
    ("link", 86, [f"s:{X}/x", f"s:{W}/taken"], "x"),
    ("link", 86, [f"s:{IN}", f"s:{X}/n"], "n"),
    ("linkat", 265, [AT, f"s:{IN}", f"d:{X}", "s:n", "i:0"], "n"),
    ("symlink", 88, ["s:anything", f"s:{X}/n"], "n"),
    ("symlinkat", 266, ["s:anything", f"d:{X}", "s:n"], "n"),
    ("mknod", 133, [f"s:{X}/n", f"i:{S_IFREG | 0o644}", "i:0"], "n"),
    ("mknod", 133, [f"s:{X}/n", f"i:{S_IFIFO | 0o644}", "i:0"], "n"),
    ("mknodat", 259, [f"d:{X}", "s:n", f"i:{S_IFREG | 0o644}", "i:0"], "n"),
    ("chmod", 90, [f"s:{X}/x", "i:511"], "x"),
    ("fchmod", 91, [f"r:{X}/x", "i:511"], "x"),
    ("fchmodat", 268, [AT, f"s:{X}/x", "i:511"], "x"),
    ("fchmodat2", 452, [AT, f"s:{X}/x", "i:511", "i:0"], "x"),
    ("chown", 92, [f"s:{X}/x", f"i:{os.getuid()}", f"i:{os.getgid()}"], "x"),
    ("lchown", 94, [f"s:{X}/x", f"i:{os.getuid()}", f"i:{os.getgid()}"], "x"),
    ("fchown", 93, [f"r:{X}/x", f"i:{os.getuid()}", f"i:{os.getgid()}"], "x"),
    ("fchownat", 260, [AT, f"s:{X}/x", f"i:{os.getuid()}", f"i:{os.getgid()}", "i:0"], "x"),
    ("utime", 132, [f"s:{X}/x", "b:16"], "x"),
    ("utimes", 235, [f"s:{X}/x", "b:32"], "x"),
    ("futimesat", 261, [AT, f"s:{X}/x", "b:32"], "x"),
    ("utimensat", 280, [AT, f"s:{X}/x", "b:32", "i:0"], "x"),
    ("setxattr", 188, [f"s:{X}/x", "s:user.case", "s:v", "i:1", "i:0"], "x"),
    ("lsetxattr", 189, [f"s:{X}/x", "s:user.case", "s:v", "i:1", "i:0"], "x"),
    ("fsetxattr", 190, [f"r:{X}/x", "s:user.case", "s:v", "i:1", "i:0"], "x"),
    ("removexattr", 197, [f"s:{X}/x", "s:user.old"], "x"),
    ("lremovexattr", 198, [f"s:{X}/x", "s:user.old"], "x"),
    ("fremovexattr", 199, [f"r:{X}/x", "s:user.old"], "x"),
    ("truncate", 76, [f"s:{X}/x", "i:0"], "x"),
]


def fresh():
    subprocess.run(["rm", "-rf", X, W + "/taken"], check=True)
    os.makedirs(X + "/d")
    for path in (X + "/x", IN):
        with open(path, "w") as file:
            file.write("untouched\n")
    os.setxattr(X + "/x", "user.old", b"1")
    os.utime(X + "/x", (1000, 1000))


def seen():
    found = []
    for path in (X, X + "/x", X + "/n", X + "/d", IN, W + "/taken"):
        try:
            info = os.lstat(path)
            found.append((path, info.st_mode, info.st_uid, info.st_gid, info.st_size, info.st_nlink, info.st_mtime_ns, info.st_ctime_ns, info.st_ino,
                          os.listxattr(path, follow_symlinks=False)))
        except OSError as error:
            found.append((path, error.errno))
    return found


for name, number, arguments, target in CALLS:
    fresh()
    before = seen()
    command = f"exec {ATTACK}/call {number} " + " ".join(f"'{a}'" for a in arguments)
    what = f"{name} {arguments}"
    target = (X + "/" + target).rstrip("/")
    result, found = denials(command)
    check(seen() == before, f"{what}: something changed", result)
    if name == "fchmodat2" and result.stdout.strip() == "38":
        continue
    check(result.stdout.strip() == "13", f"{what}: errno {result.stdout.strip()}, not EACCES", result)
    check(len(found) == 1, f"{what}: {len(found)} refusals are reported", result)
    denial = found[0]
    check(denial["rule"] == "fs.write.outside-workspace", f"{what}: rule {denial['rule']}", result)
    check(denial["call"] == name, f"{what}: call {denial['call']}", result)
    check(denial["object"] == target or target == X and denial["object"].startswith(X), f"{what}: object {denial['object']}", result)
    check(denial["access"] == "write", f"{what}: access {denial['access']}", result)
    control = bare(command)
    # Merely opening for writing shows in nothing.
    check(control.returncode == 0 and (seen() != before or name.startswith("open")), f"control: {what} does not work outside", control)

# The same calls pass in the workspace, silently.
os.mkdir(W + "/x")
for name, number, arguments, target in CALLS:
    inside = W + "/x"
    subprocess.run(f"rm -rf {inside} {W}/taken; mkdir -p {inside}/d; echo > {inside}/x; echo > {IN}", shell=True, check=True)
    os.setxattr(inside + "/x", "user.old", b"1")
    moved = [a.replace(X, inside) for a in arguments]
    result = sbx(f"exec {ATTACK}/call {number} " + " ".join(f"'{a}'" for a in moved))
    if name == "fchmodat2" and result.stdout.strip() == "38":
        continue
    check(result.returncode == 0 and result.stderr == "", f"{name} {moved} in the workspace", result)
