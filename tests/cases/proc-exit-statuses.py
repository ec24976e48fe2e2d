"""Each exit status, and each death by a signal, is the caller's to see as with bash."""
import signal
import subprocess

from case import *

for status in [*range(0, 6), 64, 77, 100, 124, 125, 126, 127, 128, 129, 137, 143, 200, 254, 255, 256, 300]:
    result = sbx(f"exit {status}")
    check(result.returncode == status % 256, f"status of exit {status}", result)
    check(result.stderr == "", "something was said", result)
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE,
               signal.SIGKILL, signal.SIGUSR1, signal.SIGSEGV, signal.SIGUSR2, signal.SIGPIPE, signal.SIGALRM, signal.SIGTERM):
    check_same("-c", f"kill -{int(number)} $$; sleep 1; exit 3")
    check_same("-c", f"python3 -c 'import os; os.kill(os.getpid(), {int(number)})'; echo $?")
    check_same("-c", f"exec python3 -c 'import os,resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); "
                     f"os.kill(os.getpid(), {int(number)})'")
check_same("-c", "trap 'echo caught; exit 5' TERM; kill -TERM $$; sleep 5")
check_same("-c", "trap '' INT; kill -INT $$; echo alive")
check_same("-c", "trap 'echo exit' EXIT; kill -HUP $$; echo not reached")
check_same("-c", "nosuchcommand")
check_same("-c", "/")
check_same("-c", "exec /nonexistent")
check_same("nonexistent-script")
check_same("src")
