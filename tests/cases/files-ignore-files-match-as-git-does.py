"""A path of a tree with ignore files is readable exactly where `git check-ignore` says that it is not ignored."""
import os
import random
import subprocess

from case import *

NAMES = ["a", "b", "c.o", "d.txt", "foo", "bar baz", "x[1]", "#h", "!n", ".dot"]
PATTERNS = ["*.o", "/a", "b/", "foo/*", "!foo/d.txt", "**/c.o", "a/**", "a/**/b", "x\\[1\\]", "\\#h", "\\!n", "[ab]", "?", "bar*",
            "!bar baz", "*", "!*/", "!*.txt", ".d?t", "foo/**/d.txt", "/*/b", "[!a-c]", "d.txt ", "# comment", "", "!b"]
choose = random.Random(20241)


def grow(path, depth):
    for name in choose.sample(NAMES, 6):
        target = os.path.join(path, name)
        if depth and choose.random() < 0.5:
            os.mkdir(target)
            grow(target, depth - 1)
        else:
            with open(target, "w") as file:
                file.write("content\n")
    if choose.random() < 0.5:
        with open(os.path.join(path, ".sbxignore"), "w") as file:
            file.write("\n".join(choose.sample(PATTERNS, choose.randint(1, 5))) + "\n")


def rename_ignore_files(before, after):
    for directory, _, files in os.walk(W):
        if before in files:
            os.rename(f"{directory}/{before}", f"{directory}/{after}")


for number in range(6):
    top = f"tree{number}"
    os.mkdir(top)
    grow(top, 2)
paths = [os.path.join(d, f) for d, _, files in os.walk(".") for f in files if "/.git/" not in d + "/" and f != ".sbxignore"]
paths = [p[2:] for p in paths]
rename_ignore_files(".sbxignore", ".gitignore")
said = subprocess.run(["git", "check-ignore", "--no-index", "-z", "--stdin"], input="\0".join(paths) + "\0", text=True,
                      capture_output=True).stdout
ignored = set(filter(None, said.split("\0")))
rename_ignore_files(".gitignore", ".sbxignore")
# A nested ignore file is found at the start where git tracks it.
subprocess.run(["git", "add", "-f", "--", "*.sbxignore"], check=True)
probe = ("import sys\nfor p in sys.stdin.read().split('\\0'):\n"
         "  try: open(p).read(); print('+' + p, end='\\0')\n  except OSError: print('-' + p, end='\\0')")
result = shell(SBXSH, "-c", 'exec python3 -c "$1"', "-", probe, stdin=None, input="\0".join(paths))
readable = {p[1:] for p in result.stdout.split("\0") if p.startswith("+")}
check(len(paths) > 100 and 20 < len(ignored) < len(paths) - 20, f"a poor sample: {len(ignored)} of {len(paths)} ignored")
wrongly_read = sorted(ignored & readable)
wrongly_refused = sorted(set(paths) - ignored - readable)
check(not wrongly_read, f"ignored but readable: {wrongly_read[:10]}")
check(not wrongly_refused, f"not ignored but refused: {wrongly_refused[:10]}")
