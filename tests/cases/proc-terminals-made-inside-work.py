"""Terminals that programs make for themselves work as without a sandbox, and the command's own can be opened by name."""
import fcntl
import os
import pty
import shutil
import termios

from case import *

PROGRAM = r'''
import fcntl, os, pty, select, sys, termios
def read(master):
    data = b""
    while True:
        try: more = os.read(master, 4096)
        except OSError: more = b""
        if not more: return data
        data += more
master, slave = pty.openpty()
name = os.ttyname(slave)
for flags in (os.O_RDWR | os.O_NOCTTY, os.O_RDWR, os.O_WRONLY, os.O_RDWR | os.O_NONBLOCK):
    os.close(os.open(name, flags))
os.system("exec 9<>%s && echo from another process >&9; : <%s; stty -F %s size" % (name, name, name))
peer = fcntl.ioctl(master, 0x5441, os.O_RDWR | os.O_NOCTTY)  # TIOCGPTPEER
print(os.ttyname(peer) == name, os.isatty(peer), os.get_inheritable(peer))
os.close(peer); os.close(slave)
print(read(master)); os.close(master)
master = os.posix_openpt(os.O_RDWR | os.O_NOCTTY) if hasattr(os, "posix_openpt") else os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
print(os.isatty(master)); os.close(master)
pid, master = pty.fork()
if pid == 0:
    os.system("tty | cut -c 1-9; stty -echo; stty -a < /dev/tty | grep -c -e -echo; echo seen > /dev/tty; mesg n; stty -F $(tty) size")
    os._exit(0)
print(read(master)); os.waitpid(pid, 0); os.close(master)
sys.stdout.flush()
pty.spawn(["bash", "-c", "test -t 0 && test -t 1 && echo on a terminal; echo again > $(tty)"], lambda fd: os.read(fd, 1024))
'''


def same(setting):
    expected = shell("python3", "-c", PROGRAM)
    check(expected.stdout.startswith("0 0\nTrue True") and "on a terminal" in expected.stdout, "control", expected)
    result = sbx('exec python3 -c "$1"', "-", PROGRAM)
    check((result.stdout, result.stderr, result.returncode) == (expected.stdout, expected.stderr, 0),
          f"{setting}: other than {expected.stdout!r}", result)
    if shutil.which("script"):
        line = "script -qec 'tty | cut -c 1-9; stty -F $(tty) -a | grep -c speed; exit 3' /dev/null"
        expected, result = bare(line), sbx(line)
        check((result.stdout, result.returncode) == (expected.stdout, 3), f"{setting}: script: {expected.stdout!r}", result)
        check("sbxsh: " not in result.stderr, f"{setting}: script", result)
    if shutil.which("tmux"):
        line = ("export TMUX_TMPDIR=; tmux -S ./mux -f /dev/null new-session -d 'tty | cut -c 1-9 >said; echo opened >$(tty) && echo yes >>said'; "
                "until [ $(wc -l 2>/dev/null <said || echo 0) = 2 ]; do sleep 0.05; done; cat said; rm said; tmux -S ./mux kill-server 2>/dev/null; true")
        result = sbx(line)
        check(result.stdout == "/dev/pts/\nyes\n" and "sbxsh: " not in result.stderr, f"{setting}: tmux", result)
    if shutil.which("socat"):
        line = "socat -u EXEC:'echo through',pty,setsid,ctty,raw,echo=0 -"
        result = sbx(line)
        check(result.stdout == bare(line).stdout and "through" in result.stdout, f"{setting}: socat", result)


def on_terminal(program, line):
    """What `line` prints on a terminal of its own, with no other descriptor on it than the third."""
    master, slave = pty.openpty()  # Held open here, as it hangs up whenever nobody has it open.
    pid = os.fork()
    if pid == 0:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        null = os.open("/dev/null", os.O_RDWR)
        for fd, of in ((0, null), (1, null), (2, slave)):
            os.dup2(of, fd)
        os.execv(program, ["bash", "-c", line])
    status = os.waitpid(pid, 0)[1]
    os.write(slave, b"END")
    text = b""
    while not text.endswith(b"END"):
        text += os.read(master, 4096)
    os.close(slave)
    os.close(master)
    return text[:-3], status


for setting in ("rules of plain paths", "a rule that has each open seen"):
    if setting != "rules of plain paths":
        user_policy("[[rule]]\nid = 'observed'\naccess = 'read'\ndeny = '{workspace}/**/*.hidden'\n")
    same(setting)
    for line in ("t=$(tty <&2); echo one >$t; echo two >>$t; : <$t; stty -F $t size >$t; python3 -c 'import os, sys; os.write(os.open(sys.argv[1], os.O_RDWR), b\"three\")' $t",
                 # Only as the controlling terminal.
                 "t=$(tty <&2); exec 2>/dev/null; echo four >$t; echo five >/dev/tty; stty -F $t size >$t"):
        expected, got = on_terminal("/bin/bash", line), on_terminal(SBXSH, line)
        check(got == expected and b"o" in expected[0], f"{setting}: {line}: bash {expected}, sbxsh {got}")
# A controlling terminal that is no descriptor of the command at its start.
expected, got = (on_terminal("/bin/bash", f"t=$(tty <&2); exec 2>/dev/null; {program} -c 'echo six >$0' $t; echo status $? >/dev/tty")
                 for program in ("/bin/bash", SBXSH))
check(got == expected == (b"six\r\nstatus 0\r\n", 0), f"bash {expected}, sbxsh {got}")
