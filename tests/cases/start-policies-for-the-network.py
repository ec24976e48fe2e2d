"""Allowed addresses and sockets can be reached, the others cannot."""
import os
import socket

from case import *

allowed = socket.create_server(("127.0.0.1", 0))
other = socket.create_server(("127.0.0.1", 0))
unix = {}
for name in ("good", "bad"):
    unix[name] = socket.socket(socket.AF_UNIX)
    unix[name].bind(f"{OUTSIDE}/{name}")
    unix[name].listen()
user_policy(f'[[rule]]\naccess = "connect"\nallow = "127.0.0.1:{allowed.getsockname()[1]}"\n\n[[rule]]\naccess = "unix-connect"\nallow = "{OUTSIDE}/good"\n')


def reached(listener):
    listener.settimeout(0.3)
    try:
        listener.accept()[0].close()
        return True
    except TimeoutError:
        return False


result = sbx(f"exec {ATTACK}/send tcp {allowed.getsockname()[1]}")
check(result.returncode == 0 and reached(allowed), "the allowed address is not reached", result)
result = sbx(f"exec {ATTACK}/send tcp {other.getsockname()[1]}")
check(result.returncode != 0 and not reached(other), "another address is reached", result)
result = sbx(f"exec {ATTACK}/unix connect {OUTSIDE}/good")
check(result.returncode == 0 and reached(unix["good"]), "the allowed socket is not reached", result)
result = sbx(f"exec {ATTACK}/unix connect {OUTSIDE}/bad")
check(result.returncode != 0 and not reached(unix["bad"]), "another socket is reached", result)
