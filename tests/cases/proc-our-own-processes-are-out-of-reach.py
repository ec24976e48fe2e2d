"""What runs inside can neither signal, stop, trace nor read the broker and the front."""
import os
import signal
import subprocess

from case import *

child = subprocess.Popen([SBXSH, "-c", "echo > up; sleep 3; echo x > $HOME/outside; echo end"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
wait_for(lambda: os.path.exists("up"), "up")
program = os.path.realpath(SBXSH)


def runs_ours(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe") == program and f"CASE_MARKER={os.environ['CASE_MARKER']}" in content(f"/proc/{pid}/environ")
    except OSError:
        return False


ours = [int(p) for p in os.listdir("/proc") if p.isdigit() and runs_ours(p)]
check(len(ours) >= 2, f"only {ours} run our program: the test finds nothing")
for pid in ours:
    for command in (f"kill -STOP {pid}", f"kill -9 {pid}", f"kill {pid}", f"cat /proc/{pid}/environ", f"cat /proc/{pid}/mem", f"ls -L /proc/{pid}/fd/0",
                    f"echo > /proc/{pid}/oom_score_adj"):
        result = sbx(command)
        check(result.returncode != 0, f"passed: {command}", result)
        check(alive(pid), f"dead after: {command}")
result = sbx("kill -STOP $PPID; kill -9 $PPID; echo x > $HOME/outside; echo on")
check(not os.path.exists(HOME + "/outside"), "written outside", result)
check(result.stdout == "on\n", "the parent of the interpreter was hit", result)
stdout, stderr = child.communicate(timeout=30)
check(stdout == b"end\n", f"the other shell was disturbed: {stdout!r} {stderr!r}")
check(not os.path.exists(HOME + "/outside"), "written outside")
