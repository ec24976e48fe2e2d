"""Descriptors that the caller passes reach the interpreter, and those it closed stay closed; none of ours do."""
import os
import subprocess

from case import *

LIST = "for f in /proc/self/fd/*; do echo ${f##*/}; done"
# Descriptors 3 and 4, and one far up.
for program in ("/bin/bash", SBXSH):
    read_end, write_end = os.pipe()
    three, four = os.pipe()
    child = subprocess.Popen(["bash", "-c", f"read -r x <&3; echo got $x >&{write_end}; echo $x"], executable=program,
                             preexec_fn=lambda: os.dup2(three, 3), pass_fds=[3, write_end], close_fds=False,
                             stdout=subprocess.PIPE)
    os.write(four, b"message\n")
    os.close(four)
    os.close(write_end)
    check(child.communicate()[0] == b"message\n", f"{program}: descriptor 3")
    check(os.read(read_end, 100) == b"got message\n", f"{program}: descriptor {write_end}")
    os.close(read_end)
    os.close(three)
check_same("-c", "ls /proc/self/fd; readlink /proc/self/fd/0")
got = check_same("-c", "exec python3 -c 'import os; print(sorted(os.listdir(\"/proc/self/fd\")))'")
check(got.stdout.count("'") == 8, "more descriptors than 0, 1, 2 and the listing's own", got)


def closing(*numbers):
    def close():
        for number in numbers:
            os.close(number)
    return close


for numbers in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
    results = []
    for program in ("/bin/bash", SBXSH):
        log = f"{W}/log"
        subprocess.run(["bash", "-c", f"exec 8>{log}; ls /proc/self/fd >&8 2>/dev/null; echo out; echo err >&2; read x; echo $? >&8; exit 5"],
                       executable=program, preexec_fn=closing(*numbers), close_fds=True)
        results.append(content(log))
        os.unlink(log)
    check(results[0] == results[1], f"with {numbers} closed: bash {results[0]!r}, sbxsh {results[1]!r}")
