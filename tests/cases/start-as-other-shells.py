"""Called as sh, dash or zsh it is that shell; as -bash or rbash it is what bash is under that name."""
import os
import shutil

from case import *

AS = os.environ["AS"]
SCRIPT = 'echo "$0 $# $*"; echo "${BASH_VERSION:+bash}${ZSH_VERSION:+zsh}"; for x in 1 2; do echo $x; done; exit 5'
for name in ("bash", "sh", "dash", "zsh"):
    real = shutil.which(name)
    check(real is not None, f"no {name} on this machine")
    for form in (["-c", SCRIPT], ["-c", SCRIPT, "zero", "a"], ["-ec", "false; echo no"], ["-s", "x"], ["-c", "nosuchcommand"], ["nosuchscript"], ["-uc", "echo $nosuch"], ["-xc", "echo x"]):
        for argv0 in (name, "-" + name, "/somewhere/" + name):
            expected = shell(real, *form, argv0=argv0, input="echo in $1\n", stdin=None)
            for program in (AS + "/" + name, SBXSH):
                got = shell(program, *form, argv0=argv0, input="echo in $1\n", stdin=None)
                check((expected.returncode, expected.stdout, expected.stderr) == (got.returncode, got.stdout, got.stderr), f"{program} {argv0} {form}: expected {expected}", got)
result = shell(AS + "/sh", "-c", "echo x > $HOME/outside")
check(not os.path.exists(HOME + "/outside"), "written outside", result)
check(result.returncode == 2 and "sbxsh: blocked: " in result.stderr, "not as dash, or not reported", result)
result = shell(SBXSH, "-c", "echo $BASH_VERSION", argv0="sbxsh")
check(result.stdout[:1].isdigit(), "not bash by default", result)
# First in PATH, where every program looks for a shell.
result = shell("/bin/bash", "-c", "bash -c 'echo x > ~/outside'", env={**os.environ, "PATH": AS + ":" + os.environ["PATH"]})
check(not os.path.exists(HOME + "/outside") and "sbxsh: blocked: " in result.stderr, "not found in PATH", result)
result = sbx("bash -c 'echo nested'", env={**os.environ, "PATH": AS + ":" + os.environ["PATH"]})
check(result.stdout == "nested\n" and result.stderr == "", "nested by PATH", result)
