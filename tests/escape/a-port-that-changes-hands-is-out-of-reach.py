"""A connection to a loopback port does not come to a server outside that takes the port later; without a sandbox it does."""
import os
import select
import socket

from case import *

PENDING = r'''
import os, socket, sys, threading, time
family, host = (socket.AF_INET6, "::1") if sys.argv[1] == "six" else (socket.AF_INET, "127.0.0.1")
server = socket.socket(family); server.bind((host, 0)); server.listen(0)
name = server.getsockname()
full, errors = [], []
while len(full) < 8:
    full.append(socket.socket(family)); full[-1].setblocking(False)
    errors.append(full[-1].connect_ex(name[:2]))
def wait():
    try:
        waiting.connect(name[:2]); print("connected")
        waiting.sendall(b"LEAK")
    except OSError as error: print(os.strerror(error.errno))
waiting = socket.socket(family)
thread = threading.Thread(target=wait); thread.start()
time.sleep(0.3)
server.close()
open("port", "w").write(str(name[1]))
while not os.path.exists("over"): time.sleep(0.02)
for one in full:
    try: one.send(b"LEAK")
    except OSError: pass
open("sent", "w").close()
thread.join()
print(sorted(set(map(os.strerror, errors))))
sys.exit(1)
'''


def clear():
    for name in ("port", "over", "sent"):
        if os.path.exists(name):
            os.unlink(name)


INSIDE = [SBXSH, "-c", 'exec python3 -c "$@"', "-"]
for kind, family, host in (("four", socket.AF_INET, "127.0.0.1"), ("six", socket.AF_INET6, "::1")):
    for program in (INSIDE, ["python3", "-c"]):
        clear()
        child = subprocess.Popen([*program, PENDING, kind], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: os.path.exists("port") and content("port"), "a connection was begun")
        outside = socket.socket(family)
        outside.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        outside.bind((host, int(content("port"))))
        outside.listen(50)
        # The kernel repeats the first packet of a handshake after 1 and 3 seconds.
        got = bool(select.select([outside], [], [], 5)[0])
        open("over", "w").close()
        wait_for(lambda: os.path.exists("sent"), "all was sent")
        got = got or bool(select.select([outside], [], [], 0.2)[0])
        outside.close()
        stdout, stderr = child.communicate()
        if program is INSIDE:
            check(not got, f"{kind}: a server outside was reached: {stdout!r} {stderr!r}")
            check("connected" not in stdout and "'Connection refused'" in stdout, f"{kind}: {stdout!r} {stderr!r}")
        else:
            check(got, f"{kind}: control: a server outside was not reached: {stdout!r} {stderr!r}")
