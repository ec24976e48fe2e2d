"""A signal to the process group comes to the command once, as does one to the process that was started; many in turn are all counted."""
import os
import signal
import subprocess
import sys
import time

from case import *

# Answers each signal by a line: what comes twice is a line too many. (A trap of bash would miss one of many signals.)
COUNTING = """
import os, signal
signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
counted = {signal.SIGTERM, signal.SIGUSR1, signal.SIGINT, signal.SIGRTMIN}
os.write(1, b"ready\\n")
while (number := signal.sigwait(counted | {signal.SIGUSR2})) != signal.SIGUSR2:
    os.write(1, (signal.Signals(number).name + "\\n").encode())
"""
SIGNALS = [signal.SIGTERM, signal.SIGUSR1, signal.SIGINT, signal.SIGRTMIN]


class Counting:
    def __init__(self, program, group=0):
        self.child = subprocess.Popen(["bash", "-c", 'exec "$0" -I -c "$1"', os.path.realpath(sys.executable), COUNTING], executable=program,
                                      stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, process_group=group)
        self.line()

    def settle(self):
        """Until the started process has taken what was sent to it: a signal that is still pending takes in a second one of its kind."""
        wait_for(lambda: "ShdPnd:\t0000000000000000" in content(f"/proc/{self.child.pid}/status"), "settled")
        time.sleep(0.01)

    def line(self):
        return self.child.stdout.readline().strip()

    def end(self):
        """What was written that nobody read yet."""
        os.kill(self.child.pid, signal.SIGUSR2)
        rest, _ = self.child.communicate(timeout=20)
        check(self.child.returncode == 0, f"ended with {self.child.returncode}")
        return rest.split()


for program in ("/bin/bash", SBXSH):
    counting = Counting(program)
    for turn in range(120):
        number = SIGNALS[turn // 2 % 4]
        to_group = (turn * 7 + turn // 5) % 3 != 0
        (os.killpg if to_group else os.kill)(counting.child.pid, number)
        got = counting.line()
        check(got == number.name, f"{program}, turn {turn}: {got!r} for {number!r}, group {to_group}")
        counting.settle()
    # A second copy of the last would come now.
    time.sleep(0.5)
    rest = counting.end()
    check(rest == [], f"{program}: too many signals: {rest}")

# To the process and at once to the group, as timeout(1) does: at least one comes, at most two.
for turn in range(10):
    counting = Counting(SBXSH)
    os.kill(counting.child.pid, signal.SIGTERM)
    os.killpg(counting.child.pid, signal.SIGTERM)
    check(counting.line() == "SIGTERM", "nothing came")
    time.sleep(0.3)
    rest = counting.end()
    check(len(rest) <= 1, f"turn {turn}: {rest}")

# Stopped as a group; then the process is continued and signalled alone.
counting = Counting(SBXSH)
os.killpg(counting.child.pid, signal.SIGSTOP)
time.sleep(0.2)
os.kill(counting.child.pid, signal.SIGCONT)
os.kill(counting.child.pid, signal.SIGTERM)
check(counting.line() == "SIGTERM", "after stop and continue")
counting.settle()
os.killpg(counting.child.pid, signal.SIGUSR1)
check(counting.line() == "SIGUSR1", "to the group, after stop and continue")
time.sleep(0.3)
rest = counting.end()
check(rest == [], f"after stop and continue: {rest}")

# A member of a group that another process leads.
leader = subprocess.Popen(["sleep", "60"], process_group=0)
for program in ("/bin/bash", SBXSH):
    counting = Counting(program, leader.pid)
    os.kill(counting.child.pid, signal.SIGUSR1)
    check(counting.line() == "SIGUSR1", f"{program}: to a member alone")
    counting.settle()
    os.killpg(leader.pid, signal.SIGINT)
    check(counting.line() == "SIGINT", f"{program}: to the group")
    time.sleep(0.3)
    rest = counting.end()
    check(rest == [], f"{program}: {rest}")
leader.wait()

# A trap of a shell runs once.
for to_group in (os.killpg, os.kill):
    child = subprocess.Popen(["bash", "-c", "trap 'echo got' TERM; trap 'exit 0' USR1; echo ready; while :; do sleep 0.1; done"], executable=SBXSH,
                             stdout=subprocess.PIPE, text=True, process_group=0)
    child.stdout.readline()
    to_group(child.pid, signal.SIGTERM)
    check(child.stdout.readline() == "got\n", "the trap did not run")
    time.sleep(0.5)
    os.kill(child.pid, signal.SIGUSR1)
    rest = child.communicate(timeout=20)[0]
    check(rest == "", f"the trap ran again: {rest!r}")
