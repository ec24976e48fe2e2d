"""umask, limits, niceness, ignored signals, blocked signals, cwd, SHLVL and argv[0] are as with bash."""
import os
import resource
import signal
import subprocess

from case import *


def same_after(setup, command, **options):
    return check_same("-c", command, preexec_fn=setup, **options)


same_after(lambda: os.umask(0o027), "umask; touch u; stat -c %a u; rm u; mkdir v; stat -c %a v; rmdir v")
same_after(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 128)), "ulimit -n; ulimit -Hn")
same_after(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
           "ulimit -f; head -c 10000 /dev/zero > big; echo $?; stat -c %s big; rm big")
same_after(lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 1)), "while :; do :; done")
same_after(lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)), "ulimit -c")
same_after(lambda: os.nice(5), "nice; ps -o ni= -p $$")
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD, signal.SIGTTIN, signal.SIGTTOU,
               signal.SIGTSTP, signal.SIGXFSZ, signal.SIGUSR1):
    def ignore(number=number):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(number, signal.SIG_IGN)
    same_after(ignore, "trap; grep SigIgn /proc/self/status; kill -%d $$; echo $?" % number, restore_signals=False)
same_after(lambda: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM}), "grep SigBlk /proc/self/status")
same_after(None, "echo $SHLVL; bash -c 'echo $SHLVL'")
same_after(None, "echo $SHLVL", env={**os.environ, "SHLVL": "7"})
same_after(None, "echo $SHLVL; env | sort", env={"PATH": os.environ["PATH"]})
same_after(None, "env; set | grep -c .", env={})
same_after(None, "pwd; echo $PWD", env={**os.environ, "PWD": "/elsewhere"})
same_after(None, "cut -d' ' -f5,6 /proc/self/stat | wc -w; ps -o sid= -p $$ | wc -l")
for argv0 in ("bash", "-bash", "/weird name/bash", "rbash"):
    expected, got = (shell(p, "-c", "echo $0; shopt login_shell; nosuch", argv0=argv0) for p in ("/bin/bash", SBXSH))
    check((expected.stdout, expected.stderr, expected.returncode) == (got.stdout, got.stderr, got.returncode), f"argv0 {argv0}: {expected}", got)
