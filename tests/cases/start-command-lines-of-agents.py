"""Command lines in the shapes that coding agents send, with the descriptors they send them with, give what bash gives."""
import os
import socket
import subprocess

from case import *

with open("snapshot", "w") as file:
    file.write("shopt -s expand_aliases\nalias ll='ls -l'\nf() { echo \"f got $1\"; }\nexport PATH='%s'\n" % os.environ["PATH"])
CWD_FILE = "/tmp/case-cwd-" + os.environ["CASE_MARKER"]


def agent(arguments, stdin=subprocess.DEVNULL, environment=None, streams="file"):
    """Runs bash and sbxsh in a session of their own with stdout and stderr on one appended file, or on sockets; both results."""
    results = []
    for program in ("/bin/bash", SBXSH):
        if streams == "file":
            with open(ROOT + "/both", "ab+") as file:
                file.truncate(0)
                child = subprocess.Popen(["bash", *arguments], executable=program, stdin=stdin, stdout=file, stderr=file, start_new_session=True,
                                         env=environment or os.environ)
                status = child.wait(60)
                file.seek(0)
                results.append((status, file.read()))
        else:
            ours, theirs = socket.socketpair()
            child = subprocess.Popen(["bash", *arguments], executable=program, stdin=stdin, stdout=theirs, stderr=theirs, start_new_session=True,
                                     env=environment or os.environ)
            theirs.close()
            text = b""
            while True:
                data = ours.recv(65536)
                if not data:
                    break
                text += data
            ours.close()
            results.append((child.wait(60), text))
    check(results[0] == results[1], f"{arguments} on {streams}: bash {results[0]}, sbxsh {results[1]}")
    return results[1]


# A snapshot, an eval with stdin closed off, and the directory it ended in.
a, b = socket.socketpair()
for command in ("f x && ll a.txt | wc -l && cd src && false", "exit 3", "echo out; echo err >&2; cat"):
    text = f"source snapshot 2>/dev/null || true && shopt -u extglob 2>/dev/null || true && eval '{command}' < /dev/null && pwd -P >| {CWD_FILE}"
    for form in (["-c", text], ["-c", "-l", text], ["-lc", text]):
        agent(form, stdin=a)
        agent(form, streams="socket")
status, text = agent(["-c", f"eval 'cd src' < /dev/null && pwd -P >| {CWD_FILE}"])
check(status == 0 and content(CWD_FILE) == W + "/src\n", "the directory was not written")
os.unlink(CWD_FILE)
# State on descriptors 3 and 4, the command as $1.
for program in ("/bin/bash", SBXSH):
    state, state_end = os.pipe()
    dump, dump_end = os.pipe()
    os.write(state_end, b"V=from-state\n")
    os.close(state_end)
    child = subprocess.Popen(["bash", "-O", "extglob", "-c", "snap=$(command cat <&3); eval \"$snap\"; { builtin eval \"$1\" < /dev/null; }; CODE=$?; declare -p V >&4; exit $CODE",
                              "--", "echo $V; V=changed; (exit 5)"], executable=program, stdout=subprocess.PIPE,
                             preexec_fn=lambda: (os.dup2(state, 13), os.dup2(dump_end, 14), os.dup2(13, 3), os.dup2(14, 4)), close_fds=False)
    os.close(dump_end)
    os.close(state)
    output = child.communicate()[0]
    dumped = os.read(dump, 1000)
    os.close(dump)
    check((child.returncode, output, dumped) == (5, b"from-state\n", b'declare -- V="changed"\n'), f"{program}: {child.returncode} {output} {dumped}")
# Jobs listed at exit; the environment with NUL bytes; a start from within a start.
agent(["-c", "shopt -u promptvars nullglob extglob nocaseglob dotglob; ( trap \"jobs -p > jobs.txt\" EXIT\necho x | cat\n)\n__code=$?\nexit $__code"])
agent(["--norc", "--noprofile", "-c", "echo plain; nosuchcommand; exit"])
agent(["-c", "exec bash -c 'echo $SHLVL; f 2>/dev/null; exit 6'"], environment={**os.environ, "SHLVL": "0"})
agent(["-l", "-c", "set -o monitor; sleep 0.1 & wait; (exit 9)"])
agent(["-c", "cat | wc -c"], stdin=a if a.send(b"") == 0 and b.shutdown(socket.SHUT_WR) is None else None, streams="socket")
