"""No report of what failed without the sandbox: loaders that ldd tries, the shell's own terminal, and its history in an interactive session."""
import os
import pty
import subprocess

from case import *

# A program that tries in a process of its own what is refused, and goes on.
for line in ("bash -c 'unshare -m true; true' 2>/dev/null", "bash -c 'unshare -m true; true' 2>/dev/null | grep nothing", "ldd /bin/ls | grep nothing"):
    result = sbx(line)
    check("sbxsh:" not in result.stderr, "told of a probe", result)
for line in ("unshare -m true 2>/dev/null || true", "bash -c 'unshare -m true' 2>/dev/null || true"):
    result = sbx(line)
    check("sbxsh: blocked: " in result.stderr, "not told of what failed", result)

with open(ROOT + "/p.toml", "w") as file:
    file.write('[[rule]]\nid = "my.root"\naccess = "write"\ndeny = "/"\n')
result = shell(SBXSH, "--sbx-policy", ROOT + "/p.toml", "-c", "touch x", env=dict(os.environ, SBXSH_DIAGNOSTICS="line"))
check(result.returncode == 1 and "blocked: create " in result.stderr and "/dev/tty" not in result.stderr, "another report", result)

main, side = pty.openpty()
child = subprocess.Popen([SBXSH, "--norc", "-i"], stdin=side, stdout=side, stderr=side, start_new_session=True)
os.close(side)
os.write(main, b"echo hello\nfalse\nexit 1\n")
said = b""
try:
    while block := os.read(main, 4096):
        said += block
except OSError:
    pass
check(child.wait() == 1, f"status {child.returncode}")
check(b"blocked" not in said and b"hello" in said, said.decode(errors="replace"))
log = subprocess.run([SBXCTL, "log", "--denied"], text=True, capture_output=True)
check(".bash_history" in log.stdout, "not in the log", log)
