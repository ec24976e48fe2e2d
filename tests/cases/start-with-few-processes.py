"""Where the user may not start enough processes, one message says so, and nothing runs."""
import os
import resource
import subprocess

from case import *

USER = 54321


def start(limit):
    def become():
        resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
        os.setgroups([])
        os.setgid(USER)
        os.setuid(USER)
    return subprocess.run([SBXSH, "-c", "echo ran"], preexec_fn=become, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                          cwd="/", env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"})


# Without root a limit counts the processes of the user who runs the tests.
if os.geteuid() == 0:
    started = []
    for limit in range(1, 20):
        result = start(limit)
        if result.returncode == 0:
            started.append(limit)
            continue
        check(not started, f"with {limit} processes it does not start, with {started} it does", result)
        check(result.returncode == 125 and result.stdout == "", f"with {limit} processes", result)
        told = [line for line in result.stderr.splitlines() if "state directory" not in line and "/nonexistent" not in line]
        check(result.stderr.count("the user may not start more processes\n  = help: end some, or raise the limit (ulimit -u)\n") == 1
              and len(told) >= 2, f"with {limit} processes", result)
    check(started and started[0] > 1, f"started with {started}")
