"""SIGTSTP stops the command and the caller sees it stopped; SIGCONT continues it."""
import os
import signal
import subprocess
import time

from case import *

for program in ("/bin/bash", SBXSH):
    for number in (signal.SIGTSTP, signal.SIGSTOP):
        if os.path.exists("ticks"):
            os.unlink("ticks")
        child = subprocess.Popen([program, "-c", "i=0; while [ $i -lt 40 ]; do echo >> ticks; sleep 0.05; i=$((i+1)); done; exit 6"],
                                 process_group=0)
        wait_for(lambda: os.path.exists("ticks"), "running")
        # A member of an orphaned group is not stopped by SIGTSTP; this one's parent is in another group of the session.
        os.killpg(child.pid, number)
        pid, status = os.waitpid(child.pid, os.WUNTRACED)
        check(os.WIFSTOPPED(status) and os.WSTOPSIG(status) == number, f"{program}: not seen stopped by {number!r}: {status:#x}")
        time.sleep(0.3)
        before = os.path.getsize("ticks")
        time.sleep(0.5)
        check(os.path.getsize("ticks") == before, f"{program}: goes on while stopped by {number!r}")
        os.killpg(child.pid, signal.SIGCONT)
        pid, status = os.waitpid(child.pid, 0)
        check(os.WIFEXITED(status) and os.WEXITSTATUS(status) == 6, f"{program}: ended with {status:#x}")
