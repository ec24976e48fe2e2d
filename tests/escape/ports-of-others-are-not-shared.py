"""No option of a socket gives a share of a port of somebody outside, an address that is not ours, or a way around the decision."""
import os
import select
import socket

from case import *

TRY = r'''
import os, socket, struct, sys
what, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
family = socket.AF_INET6 if ":" in host else socket.AF_INET
kind = socket.SOCK_DGRAM if what.startswith("udp") else socket.SOCK_STREAM
s = socket.socket(family, kind)
try:
    if what.endswith("reuseport"): s.setsockopt(1, 15, 1); s.bind((host, port))
    if what.endswith("wildcard"): s.setsockopt(1, 15, 1); s.bind(("::" if family == socket.AF_INET6 else "0.0.0.0", port))
    if what == "tcp-listen": s.setsockopt(1, 15, 1); s.bind((host, port)); s.listen()
    if what == "transparent": s.setsockopt(0, 19, 1); s.bind(("192.0.2.7", 0))
    if what == "freebind": s.setsockopt(0, 15, 1); s.bind(("192.0.2.7", 0))
    if what == "repair": s.setsockopt(6, 19, 1); s.bind((host, 0)); s.connect((host, port))
    if what == "udp-unspecified":
        own = socket.socket(family, kind); own.bind((host, 0)); s.connect(own.getsockname())
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.connect(s.fileno(), struct.pack("=H14x", 0), 16): raise OSError(ctypes.get_errno(), "")
        s.sendto(b"x", (host, port))
    if what == "deferred":
        s.setsockopt(6, 30, 1)  # TCP_FASTOPEN_CONNECT
        s.connect((host, port)); s.send(b"x")
    print("done")
except OSError as error:
    print(os.strerror(error.errno))
'''
root = os.geteuid() == 0
for host in ("127.0.0.1", "::1"):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    servers = {}
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        server = servers[kind] = socket.socket(family, kind)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        server.bind((host, 0))
    servers[socket.SOCK_STREAM].listen()

    def arrived():
        ready = select.select(list(servers.values()), [], [], 0.2)[0]
        for server in ready:
            server.accept()[0].close() if server.type == socket.SOCK_STREAM else server.recv(9)
        return bool(ready)

    attempts = {"tcp-reuseport": "Address already in use", "tcp-wildcard": "Address already in use", "tcp-listen": "Address already in use",
                "udp-reuseport": "Address already in use", "udp-wildcard": "Address already in use",
                "udp-unspecified": "Permission denied", "deferred": "Permission denied"}
    if host == "127.0.0.1":
        attempts |= {"freebind": "Permission denied", "transparent": "Operation not permitted", "repair": "Operation not permitted"}
    for what, expected in attempts.items():
        port = servers[socket.SOCK_DGRAM if what.startswith("udp") else socket.SOCK_STREAM].getsockname()[1]
        result = sbx('exec python3 -c "$@"', "-", TRY, what, host, str(port))
        check(result.stdout == expected + "\n" and not arrived(), f"{what} at {host}", result)
        control = shell("python3", "-c", TRY, what, host, str(port))
        reached = arrived()
        check(control.stdout == "done\n" or (not root and what in ("transparent", "repair")), f"control: {what} at {host}", control)
        check(reached or what not in ("udp-unspecified", "deferred"), f"control: {what} at {host} reaches nobody", control)
