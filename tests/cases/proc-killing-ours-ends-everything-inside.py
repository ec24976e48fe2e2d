"""After kill -9 of any one of our processes nothing lives on inside, and nothing refused succeeds."""
import os
import signal
import subprocess

from case import *


def descendants(pid):
    children = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = content(f"/proc/{entry}/stat").rsplit(")", 1)[1].split()
            children.setdefault(int(fields[1]), []).append(int(entry))
        except OSError:
            pass
    found, queue = [], [pid]
    while queue:
        for child in children.get(queue.pop(), []):
            found.append(child)
            queue.append(child)
    return found


def ours(pids):
    """Those that run our own program rather than something inside."""
    return [p for p in pids if os.readlink(f"/proc/{p}/exe") == os.path.realpath(SBXSH)]


def start():
    for name in ("pid1", "pid2"):
        if os.path.exists(name):
            os.unlink(name)
    front = subprocess.Popen([SBXSH, "-c", "(setsid bash -c 'echo $BASHPID > pid2; exec sleep 120') & sleep 120 & echo $! > pid1; "
                              "while :; do sleep 0.1; echo x 2>/dev/null >> " + HOME + "/outside; done"],
                             stderr=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists("pid1") and os.path.exists("pid2") and content("pid1") and content("pid2"), "started")
    return front, [int(content("pid1")), int(content("pid2"))]


front, inside = start()
count = len(ours(descendants(front.pid))) + 1
check(count >= 2, f"only {count} process of ours: the test finds nothing")
for number in range(count):
    if number:
        front, inside = start()
    everything = descendants(front.pid)
    victim = ([front.pid] + ours(everything))[number]
    os.kill(victim, signal.SIGKILL)
    wait_for(lambda: not any(alive(p) for p in inside + everything), f"all gone after kill -9 of our process {number}")
    front.wait()
    check(not os.path.exists(HOME + "/outside"), "written outside")
