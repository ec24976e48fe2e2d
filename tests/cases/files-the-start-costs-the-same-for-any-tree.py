"""With globs and ignore files in force, a start looks at as many files in a large tree as in a small one."""
import os
import shutil
import subprocess

from case import *

check(shutil.which("strace"), "no strace on this machine")
user_policy("".join(f'[[rule]]\naccess = ["read", "write"]\ndeny = "{{workspace}}/data/**/*.x{n}"\n' for n in range(15)) +
            '[[rule]]\naccess = "write"\ndeny = "{workspace}/data/**"\n')
os.mkdir("data")


def calls():
    log = ROOT + "/trace"
    result = subprocess.run(["strace", "-f", "-qq", "-e", "trace=%file,getdents64", "-e", "signal=none", "-o", log, SBXSH, "-c", "echo hi"], capture_output=True, text=True)
    check(result.stdout == "hi\n" and result.returncode == 0, "under strace", result)
    # A call that another process's interrupts in the log has two lines there.
    return sum("resumed>" not in line for line in content(log).splitlines())


calls()  # the first start makes the state directory
small = calls()
for directory in range(40):
    os.makedirs(f"data/{directory}/deep")
    for number in range(100):
        open(f"data/{directory}/deep/{number}.x{number % 15}", "w").close()
large = calls()
check(abs(large - small) <= 10, f"{small} calls on an empty tree, {large} on one with 4,000 files")
