"""Started in a directory that was removed, or cannot be read, the shell does what bash does."""
import os
import subprocess

from case import *


def vanish():
    os.makedirs(W + "/gone")
    os.chdir(W + "/gone")
    os.rmdir(W + "/gone")


expected, got = both("-c", "echo still here; pwd; echo $?; ls; cd /; pwd", preexec_fn=vanish)
for field in ("returncode", "stdout", "stderr"):
    check(getattr(expected, field) == getattr(got, field), f"bash's {field}: {getattr(expected, field)!r}", got)
os.mkdir("closed")
open("closed/f", "w").write("x\n")


def enter():
    os.chmod(W + "/closed", 0o755)
    os.chdir(W + "/closed")
    os.chmod(".", 0o000)


expected, got = both("-c", "echo in; ls . >/dev/null 2>&1; echo $?; cat f 2>/dev/null; echo $?; pwd", preexec_fn=enter)
os.chmod("closed", 0o755)
for field in ("returncode", "stdout", "stderr"):
    check(getattr(expected, field) == getattr(got, field), f"bash's {field}: {getattr(expected, field)!r}", got)
