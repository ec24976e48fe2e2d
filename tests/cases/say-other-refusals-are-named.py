"""Connections, binds, sockets, signals, tracing and mounts that were refused are named with a rule of their class."""
import os
import socket
import subprocess

from case import *

server = socket.create_server(("127.0.0.1", 0))
port = server.getsockname()[1]
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagrams.bind(("127.0.0.1", port))
unix = socket.socket(socket.AF_UNIX)
unix.bind(OUTSIDE + "/s")
unix.listen()
victim = subprocess.Popen(["sleep", "100"])
for command, rule, access, text in (
        (f"exec {ATTACK}/send tcp {port}", "net.connect.default", "connect", f"127.0.0.1:{port} (tcp)"),
        (f"exec {ATTACK}/send udp-sendto {port}", "net.connect.default", "connect", f"127.0.0.1:{port} (udp)"),
        ("exec python3 -c 'import socket; socket.socket().bind((\"192.0.2.1\", 0))'", "net.bind.default", "bind", "192.0.2.1"),
        (f"exec {ATTACK}/unix connect {OUTSIDE}/s", "unix.connect.default", "unix-connect", OUTSIDE + "/s"),
        (f"exec python3 -c 'import os; os.kill({victim.pid}, 15)'", "process.signal.outside", "signal", str(victim.pid)),
        (f"kill {victim.pid}", "process.signal.outside", "signal", str(victim.pid)),
        (f"exec strace -o /dev/null -p {victim.pid}", "process.inspect.outside", "inspect", str(victim.pid)),
        ("exec mount -t tmpfs none /mnt", "kernel.call", "kernel", "mount"),
        ("exec python3 -c 'import socket; socket.socket(17, 3, 0)'", "net.*", "*", "")):
    result, found = denials(command)
    check(result.returncode != 0, f"passed: {command}", result)
    good = [d for d in found if (d["rule"] == rule or rule.endswith("*") and d["rule"].startswith(rule[:-1]) or rule == "net.*" and d["rule"] == "kernel.call")
            and access in (d["access"], "*") and text in d["object"]]
    check(good, f"{command}: not named as {rule} {access} {text}: {found}", result)
check(victim.poll() is None, "the victim is dead")
victim.kill()
