"""System V and POSIX message, semaphore and memory objects made outside cannot be used; those made inside can."""
import ctypes
import os

from case import *

libc = ctypes.CDLL(None, use_errno=True)
KEY = 0x53420000 + os.getpid() % 65536
segment = libc.shmget(KEY, 4096, 0o1666)
check(segment >= 0, "no System V memory on this machine")
queue = libc.msgget(KEY, 0o1666)
semaphore = libc.semget(KEY, 1, 0o1666)
libc.shmat.restype = ctypes.c_void_p
memory = libc.shmat(segment, None, 0)
ctypes.memmove(memory, b"outside", 8)
try:
    attempts = {
        "shmat": f"m = l.shmat({segment}, None, 0); ok = m not in (None, -1, 2**64 - 1)",
        "shmget": f"ok = l.shmget({KEY}, 0, 0) >= 0 and l.shmat(l.shmget({KEY}, 0, 0), None, 0) not in (None, 2**64 - 1)",
        "msgsnd": f"ok = l.msgsnd({queue}, b'\\1\\0\\0\\0\\0\\0\\0\\0hello', 5, 0o4000) == 0",
        "semop": f"ok = l.semctl({semaphore}, 0, 16, 5) == 0",
        "shmctl": f"ok = l.shmctl({segment}, 0, None) == 0",
        "msgctl": f"ok = l.msgctl({queue}, 0, None) == 0",
    }
    prefix = "import ctypes; l = ctypes.CDLL(None, use_errno=True); l.shmat.restype = ctypes.c_void_p; "
    for name, code in attempts.items():
        result = sbx('exec python3 -c "$1"', "-", prefix + code + "; print(ok)")
        check(result.stdout.strip() == "False", f"{name} of an outside object passed", result)
    result = sbx('exec python3 -c "$1"', "-", prefix + f"i = l.shmget({KEY + 1}, 4096, 0o1600); m = l.shmat(i, None, 0); "
                 "ctypes.memmove(m, b'in', 2); print(ctypes.string_at(m, 2)); q = l.msgget(0, 0o1600); "
                 "print(l.msgsnd(q, b'\\1\\0\\0\\0\\0\\0\\0\\0hello', 5, 0)); l.shmctl(i, 0, None); l.msgctl(q, 0, None)")
    check(result.stdout == "b'in'\n0\n", "objects made inside do not work", result)
finally:
    libc.shmctl(segment, 0, None)
    libc.msgctl(queue, 0, None)
    libc.semctl(semaphore, 0, 0)
