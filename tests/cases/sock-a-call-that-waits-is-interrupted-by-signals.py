"""A connection, a datagram and a FIFO that wait for the other side are interrupted by a handled signal, as without a sandbox."""
from case import *

WAITS = r'''
import os, signal, socket, sys, time
class Alarm(Exception): pass
def handler(number, frame): raise Alarm()
signal.signal(signal.SIGALRM, handler)
def full_backlog():
    server = socket.socket(socket.AF_UNIX); server.bind("full"); server.listen(0)
    for _ in range(5):
        clients.append(socket.socket(socket.AF_UNIX)); clients[-1].connect("full")
def full_socket():
    a, b = socket.socketpair(); clients.extend((a, b))
    while True: a.sendmsg([bytes(1 << 20)])
def fifo():
    os.mkfifo("fifo"); open("fifo", "w")
clients = []
for wait in (full_backlog, full_socket, fifo):
    signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)
    try:
        wait(); print(wait.__name__, "went through")
    except Alarm:
        print(wait.__name__, "interrupted")
    signal.setitimer(signal.ITIMER_REAL, 0)
os.unlink("full"); os.unlink("fifo")
'''
EXPECTED = "full_backlog interrupted\nfull_socket interrupted\nfifo interrupted\n"
check(shell("python3", "-c", WAITS).stdout == EXPECTED, "control: not interrupted without a sandbox")
result = sbx('exec python3 -c "$1"', "-", WAITS)
check(result.stdout == EXPECTED and result.stderr == "", "not interrupted", result)
