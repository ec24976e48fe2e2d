"""On a terminal: isatty, the foreground group, Ctrl-C, Ctrl-Z with fg, and the window size are as with bash."""
import os
import pty
import re
import select
import time

from case import *


def on_terminal(program, arguments, keys):
    """What the shell prints on a terminal, with (delay, bytes) typed; and its wait status."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["PS1"] = "$ "
        os.execv(program, ["bash", *arguments])
    text = b""
    pending = list(keys)
    start = time.monotonic()
    due = start
    if pending:
        due = start + pending[0][0]
    while time.monotonic() - start < 30:
        if pending and time.monotonic() >= due:
            os.write(terminal, pending.pop(0)[1])
            if pending:
                due = time.monotonic() + pending[0][0]
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            text += data
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return status, text.decode()


def same(arguments, keys=()):
    expected, got = on_terminal("/bin/bash", arguments, keys), on_terminal(SBXSH, arguments, keys)
    check(expected == got, f"{arguments} {keys}:\nbash {expected}\nsbxsh {got}")
    return got


same(["-c", "test -t 0 && test -t 1 && test -t 2 && echo tty; stty size; tty | cut -c1-9"])
same(["-c", "python3 -c 'import os; print(os.tcgetpgrp(0) == os.getpgrp(), os.getsid(0) == os.getppid() or os.getsid(0) > 0)'"])
same(["-c", "echo typed: $(head -n 1)"], [(0.5, b"line\n")])
same(["-c", "echo x > /dev/tty; stty -echo; stty echo"])
status, text = same(["-c", "sleep 20; echo not reached"], [(1, b"\x03")])
check(os.WIFSIGNALED(status), "Ctrl-C did not end the command by a signal")
same(["-c", "trap 'echo caught' INT; sleep 2; echo end"], [(0.7, b"\x03")])
status, text = on_terminal(SBXSH, ["--norc", "--noprofile", "-i"],
                           [(1, b"sleep 3; echo slept\n"), (0.7, b"\x1a"), (0.7, b"jobs\n"), (0.7, b"fg\n"), (4, b"echo st=$?\n"), (0.5, b"exit 3\n")])
check(re.search(r"Stopped\s+sleep 3", text), f"Ctrl-Z did not stop the job: {text!r}")
check("st=0" in text, f"fg did not finish the job: {text!r}")
check(os.WIFEXITED(status) and os.WEXITSTATUS(status) == 3, f"status {status:#x}: {text!r}")
