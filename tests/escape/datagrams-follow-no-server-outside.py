"""A datagram socket connected to a loopback port sends nothing to a server outside that takes the port; without a sandbox it does."""
import os
import select
import socket

from case import *

SEND = r'''
import os, socket, sys, time
how, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
family = socket.AF_INET6 if ":" in host else socket.AF_INET
def udp(): return socket.socket(family, socket.SOCK_DGRAM)
client = udp()
if how != "nobody":
    server = udp()
    if how == "wildcard":
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("0.0.0.0" if how == "wildcard" else host, 0))
    port = server.getsockname()[1]
try:
    client.connect((host, port))
except OSError as error:
    print(os.strerror(error.errno))
if how == "hidden":
    # On its way between processes, nobody has it.
    a, b = socket.socketpair()
    socket.send_fds(a, [b"x"], [client.fileno()])
    client.close()
if how not in ("nobody", "wildcard"): server.close()
open("port", "w").write(str(port))
while not os.path.exists("taken"): time.sleep(0.01)
if how == "hidden":
    time.sleep(3)
    client = socket.socket(fileno=socket.recv_fds(b, 1, 1)[1][0])
end = time.monotonic() + float(sys.argv[4])
while time.monotonic() < end:
    try:
        os.write(client.fileno(), b"early")
    except OSError as error:
        if error.errno not in (111,): print(os.strerror(error.errno)); break
    time.sleep(0.01)
for _ in range(20):
    try: os.write(client.fileno(), b"LEAK")
    except OSError: pass
sys.exit(1)
'''


def run(program, how, host, port, patience):
    for name in ("port", "taken"):
        if os.path.exists(name):
            os.unlink(name)
    child = subprocess.Popen([*program, SEND, how, host, str(port), str(patience)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: os.path.exists("port") and content("port"), "the socket was connected")
    outside = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
    outside.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    outside.bind((host, int(content("port"))))
    open("taken", "w").close()
    got = []
    while child.poll() is None or select.select([outside], [], [], 0.1)[0]:
        if select.select([outside], [], [], 0.1)[0]:
            got.append(outside.recv(100))
    outside.close()
    return got, child.stdout.read(), child.stderr.read()


def free_port(host):
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
    try:
        probe.connect(("192.0.2.1", 9))
        own = [probe.getsockname()[0]]
    except OSError:
        own = []
for how, hosts in (("nobody", ["127.0.0.1", "127.0.0.53", "::1", *own]), ("gone", ["127.0.0.1", "127.0.0.53", "::1"]),
                   ("hidden", ["127.0.0.1"]), ("wildcard", ["127.0.0.1"])):
    for host in hosts:
        port = free_port(host)
        got, stdout, stderr = run([SBXSH, "-c", 'exec python3 -c "$@"', "-"], how, host, port, 20)
        check(b"LEAK" not in got, f"{how}: {host} was reached: {got} {stdout!r} {stderr!r}")
        check(stdout == ("Connection refused\nDestination address required\n" if how == "nobody" else "Destination address required\n"),
              f"{how}: {host}: {stdout!r} {stderr!r}")
        if how in ("nobody", "hidden"):
            check(not got, f"{how}: {host} was reached: {got}")
        got, stdout, stderr = run(["python3", "-c"], how, host, port, 0.2)
        check(b"LEAK" in got, f"control: {how}: {host} was not reached: {got} {stdout!r} {stderr!r}")
