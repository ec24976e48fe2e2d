"""Full queues, servers that stop listening at once, connected datagram sockets: between programs inside all is as natively."""
from case import *

PROGRAM = r'''
import errno, os, select, socket, threading, time
# A server with a full queue that comes to accept later.
server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(0)
full = []
def fill():
    while len(full) < 4:
        full.append(socket.socket()); full[-1].setblocking(False); full[-1].connect_ex(server.getsockname())
def client():
    one = socket.create_connection(server.getsockname()); one.sendall(b"taken at last"); one.close()
fill()
waiting = threading.Thread(target=client); waiting.start()
time.sleep(0.5)
taken = b""
while not taken:
    peer = server.accept()[0]; peer.settimeout(0.5)
    try: taken = peer.recv(99)
    except TimeoutError: pass
print(taken); waiting.join()
# A limit of the caller's own.
full.clear(); fill()
late = socket.socket(); late.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, b"\x00" * 8 + (200000).to_bytes(8, "little"))
print(late.connect_ex(server.getsockname()) == errno.EINPROGRESS)
print(late.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, 16)[8:10].hex() != "0000")
# A server that takes one connection and stops listening before anybody looks.
def serve_one(listener):
    peer = listener.accept()[0]; listener.close(); peer.sendall(b"only"); peer.close()
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    answers = set()
    for _ in range(100):
        listener = socket.socket(family); listener.bind((host, 0)); listener.listen()
        thread = threading.Thread(target=serve_one, args=(listener,)); name = listener.getsockname()
        thread.start(); answers.add(socket.create_connection(name[:2]).recv(9)); thread.join()
    print(answers)
# Without blocking, and refused.
one = socket.socket(); one.setblocking(False); server = socket.create_server(("127.0.0.1", 0))
print(one.connect_ex(server.getsockname()) == errno.EINPROGRESS, select.select([], [one], [], 5)[1] == [one], one.getsockopt(1, 4))
gone = server.getsockname(); server.close(); one.close()
for blocking in (True, False):
    one = socket.socket(); one.setblocking(blocking)
    error = one.connect_ex(gone)
    if error == errno.EINPROGRESS: select.select([], [one], [], 5); error = one.getsockopt(1, 4)
    print(error == errno.ECONNREFUSED)
# Datagrams: for longer than a look at who holds what, by a copy, by another process; a port of one's own is free at once.
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); server.bind(("127.0.0.1", 0))
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); client.bind(("127.0.0.1", 0)); client.connect(server.getsockname())
name = client.getsockname()
copy = client.dup(); client.close()
for _ in range(15): time.sleep(0.1); copy.send(b"again")
print({server.recv(9) for _ in range(15)})
if os.fork() == 0: time.sleep(1.5); copy.send(b"child"); os._exit(0)
copy.close(); os.wait(); print(server.recv(9))
for _ in range(20):
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); client.bind(name); client.connect(server.getsockname()); client.send(b"n"); client.close()
print(len([server.recv(9) for _ in range(20)]))
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); client.connect(server.getsockname())
other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); other.bind(("127.0.0.1", 0)); client.connect(other.getsockname()); client.send(b"moved"); print(other.recv(9))
'''
expected = shell("python3", "-c", PROGRAM)
check(expected.returncode == 0 and expected.stdout.startswith("b'taken at last'\nTrue\nTrue\n{b'only'}\n"), "control", expected)
result = sbx('exec python3 -c "$1"', "-", PROGRAM)
check((result.stdout, result.stderr, result.returncode) == (expected.stdout, "", 0), f"other than {expected.stdout!r}", result)
