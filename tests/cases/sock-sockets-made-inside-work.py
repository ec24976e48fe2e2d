"""Servers and clients on unix sockets inside: in the workspace, in TMPDIR, abstract, datagrams, passed descriptors, later shells."""
import os

from case import *

SERVER = r'''
import array, os, socket, sys, threading
def pair(name, kind):
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind(name)
    client = socket.socket(socket.AF_UNIX, kind)
    if kind == socket.SOCK_DGRAM:
        client.sendto(b"to", name)
        client.connect(name)
        client.send(b"send")
        return server.recv(9) + server.recv(9)
    server.listen()
    client.connect(name)
    peer = server.accept()[0]
    client.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [os.open("a.txt", os.O_RDONLY)]))])
    data, ancillary, flags, address = peer.recvmsg(9, 100)
    fd = array.array("i", ancillary[0][2])[0]
    return os.read(fd, 100)
for place in (os.environ["W"] + "/in", os.environ["TMPDIR"] + "/in", "rel", "\0sbxsh-in-" + os.environ["W"]):
    print(pair(place + "t", socket.SOCK_STREAM), pair(place + "d", socket.SOCK_DGRAM), pair(place + "q", socket.SOCK_SEQPACKET))
a, b = socket.socketpair()
a.send(b"pair")
print(b.recv(9))
'''
result = sbx('exec python3 -c "$1"', "-", SERVER)
check(result.stdout == "b'alpha\\n' b'tosend' b'alpha\\n'\n" * 4 + "b'pair'\n", "sockets inside do not work", result)
check(result.stderr == "", "something was said", result)
# A server left running is reached by a later shell in the workspace.
result = sbx("python3 -c 'import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind(\"later\")\ns.listen()\nopen(\"up\", \"w\")\n"
             "while True:\n  c = s.accept()[0]; c.send(b\"served\"); c.close()' >/dev/null 2>&1 &")
wait_for(lambda: os.path.exists("up"), "the server is up")
result = sbx("python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"later\"); print(s.recv(99))'")
check(result.stdout == "b'served'\n", "a later shell does not reach the server", result)
# The same name made anew outside is another socket.
os.unlink("later")
outside = __import__("socket").socket(1)
outside.bind("later")
outside.listen()
result = sbx("python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"later\")'")
check(result.returncode != 0, "a socket made outside under the name of one made inside was reached", result)
