"""No way to send reaches a listener outside: each is refused inside, and reaches it from outside."""
import os
import select
import socket

from case import *

v6 = os.path.exists("/proc/net/if_inet6") and "lo" in content("/proc/net/if_inet6")


def servers_on_one_port():
    """Nothing when others have that port of one of the kinds."""
    servers, port = [], 0
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))[:1 + v6]:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            servers.append(socket.socket(family, kind))
            try:
                servers[-1].bind((host, port))
            except OSError:
                return None
            port = servers[-1].getsockname()[1]
            if kind == socket.SOCK_STREAM:
                servers[-1].listen()
    return servers


listeners = wait_for(servers_on_one_port, "a port is free for all kinds")
port = listeners[0].getsockname()[1]


def arrived(seconds):
    """Whether anything reached a listener within the time; takes it away."""
    found = False
    while ready := select.select(listeners, [], [], 0 if found else seconds)[0]:
        found = True
        for listener in ready:
            if listener.type == socket.SOCK_STREAM:
                listener.accept()[0].close()
            else:
                listener.recv(1000)
    return found


MODES = ["tcp", "tcp-mapped", "tcp-nonblocking", "udp-sendto", "udp-connect", "udp-sendmsg", "udp-sendmmsg", "udp-mapped", "fastopen", "fastopen-sendmsg",
         "fastopen-connect"] + (["tcp6", "udp6"] if v6 else [])
OPTIONAL = ["mptcp", "io_uring", "raw-udp", "packet", "udplite", "sctp"]  # the machine, or the user, may not have these at all
for mode in MODES + OPTIONAL:
    result, found = denials(f"exec {ATTACK}/send {mode} {port}")
    check(not arrived(0.3), f"{mode}: reached the listener", result)
    check(result.returncode != 0, f"{mode}: said to have succeeded", result)
    if mode not in OPTIONAL:
        check(any(d["rule"].startswith("net.") and str(port) in d["object"] for d in found), f"{mode}: not named: {found}", result)
    control = shell(f"{ATTACK}/send", mode, str(port))
    reached = arrived(1)
    if mode not in OPTIONAL:
        check(reached, f"{mode}: control does not reach the listener", control)
    elif reached and "Protocol not supported" not in result.stderr and "not implemented" not in result.stderr:
        # Those are answered as if the kernel had them not, so that programs do without.
        check(found, f"{mode}: possible without a sandbox, refused, but not reported", result)

result = sbx(f"echo x > /dev/tcp/127.0.0.1/{port}; echo y > /dev/udp/127.0.0.1/{port}; curl -s localhost:{port}")
check(not arrived(0.3), "bash's own redirection reached the listener", result)
check(f":{port}" in result.stderr and "sbxsh: blocked: " in result.stderr, "not reported", result)
