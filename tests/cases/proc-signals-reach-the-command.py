"""Signals to the front, and to its process group, do what they do to bash; so does a time-out around it."""
import os
import signal
import subprocess
import time

from case import *


def ended_by(program, command, number, group, argv0="bash"):
    """How the shell ends when it, or its group, gets the signal once it has written the file `ready`."""
    if os.path.exists("ready"):
        os.unlink("ready")
    child = subprocess.Popen([argv0, "-c", command], executable=program, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, text=True, process_group=0)
    wait_for(lambda: os.path.exists("ready"), "ready")
    time.sleep(0.1)
    (os.killpg if group else os.kill)(child.pid, number)
    stdout, stderr = child.communicate(timeout=20)
    return child.returncode, stdout, stderr


COMMANDS = ["echo > ready; exec sleep 10", "echo > ready; sleep 10; echo after $?", "trap 'echo got; exit 4' INT TERM HUP USR1; echo > ready; "
            "for i in 1 2 3 4 5 6 7 8 9; do sleep 0.3; done; echo end", "trap '' INT TERM HUP; echo > ready; sleep 1; echo survived",
            "echo > ready; sleep 10 | cat; echo after"]
for command in COMMANDS:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        for group in (True, False):
            if not group and "exec" not in command and "trap" not in command:
                continue  # bash dies and leaves sleep behind, holding the pipes: compared elsewhere
            expected = ended_by("/bin/bash", command, number, group)
            got = ended_by(SBXSH, command, number, group)
            check(expected == got, f"{command!r} with {number!r}, group {group}: bash {expected}, sbxsh {got}")
check_same("-c", "timeout 0.3 sleep 5; echo $?")
for options in ([], ["-s", "KILL"], ["-s", "INT"]):
    codes = [subprocess.run(["timeout", *options, "0.5", program, "-c", "sleep 5"], stderr=subprocess.DEVNULL).returncode
             for program in ("/bin/bash", SBXSH)]
    check(codes[0] == codes[1], f"timeout {options}: {codes}")
