"""A unix socket made outside is out of reach under every name; it is named in the report."""
import os
import select
import socket

from case import *

# Paths of unix sockets are short: the servers stand close to the root.
PATHS = [OUTSIDE + "/s", W + "/s", os.environ["TMPDIR"] + "/s"]
servers = []
for path in PATHS:
    for kind, suffix in ((socket.SOCK_STREAM, "t"), (socket.SOCK_DGRAM, "d"), (socket.SOCK_SEQPACKET, "q")):
        server = socket.socket(socket.AF_UNIX, kind)
        server.bind(path + suffix)
        if kind != socket.SOCK_DGRAM:
            server.listen()
        servers.append(server)
ABSTRACT = "sbxsh-case-" + os.environ["CASE_MARKER"]
for kind, suffix in ((socket.SOCK_STREAM, "t"), (socket.SOCK_DGRAM, "d")):
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind("\0" + ABSTRACT + suffix)
    if kind != socket.SOCK_DGRAM:
        server.listen()
    servers.append(server)
os.symlink(OUTSIDE + "/st", W + "/link")
os.symlink(OUTSIDE, W + "/dir")
os.link(OUTSIDE + "/st", W + "/hard")


def arrived():
    ready = select.select(servers, [], [], 0.2)[0]
    for server in ready:
        if server.type == socket.SOCK_DGRAM:
            server.recv(100)
        else:
            server.accept()[0].close()
    return bool(ready)


def attempt(how, path):
    named = path.replace("@", "")
    result, found = denials(f"exec {ATTACK}/unix {how} '{path}'")
    check(not arrived(), f"{how} reached {path}", result)
    check(result.returncode != 0, f"{how} to {path} succeeded", result)
    check(any(os.path.basename(os.path.realpath(d["object"])) in os.path.realpath(named) or named in d["object"] for d in found),
          f"{how} to {path}: not named: {found}", result)
    control = shell(ATTACK + "/unix", how, path)
    check(arrived(), f"control: {how} does not reach {path}", control)


for path in PATHS:
    attempt("connect", path + "t")
    attempt("connect-seqpacket", path + "q")
    for how in ("sendto", "sendmsg", "sendmmsg", "connect-dgram"):
        attempt(how, path + "d")
attempt("connect", "@" + ABSTRACT + "t")
attempt("sendto", "@" + ABSTRACT + "d")
attempt("sendmsg", "@" + ABSTRACT + "d")
for path in ("link", "dir/st", W + "/hard", f"/proc/{os.getpid()}/root{OUTSIDE}/st", f"/proc/self/root{OUTSIDE}/st", f"/proc/self/cwd/link"):
    result = sbx(f"exec {ATTACK}/unix connect {path}")
    check(not arrived() and result.returncode != 0, f"reached through {path}", result)
result = sbx(f"curl -s --unix-socket {OUTSIDE}/st http://x/")
check(not arrived(), "curl reached it", result)
check("sbxsh: blocked: " in result.stderr and f"{OUTSIDE}/st" in result.stderr and "rule: unix.connect.default" in result.stderr, "not named", result)
