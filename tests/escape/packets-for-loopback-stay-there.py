"""Socket options that would send packets for loopback to another host are refused and named; without a sandbox they pass."""
import os
import socket
import struct

from case import *

SET = "import socket, sys; d, l, o = map(int, sys.argv[1:4]); socket.socket(d, 2).setsockopt(l, o, bytes.fromhex(sys.argv[4])); print('set')"
index, name = next(((i, n) for i, n in socket.if_nameindex() if n != "lo"), (1, "lo"))
source_route = bytes([131, 7, 4, 192, 0, 2, 9, 0])  # loose, by 192.0.2.9
segment_route = bytes([0, 2, 4, 0, 0, 0, 0, 0]) + socket.inet_pton(socket.AF_INET6, "2001:db8::9")
for what, family, level, option, value in (
        ("SO_BINDTODEVICE", 2, 1, 25, name.encode() + b"\0"),
        ("SO_BINDTOIFINDEX", 2, 1, 62, struct.pack("=i", index)),
        ("IP_OPTIONS", 2, 0, 4, source_route),
        ("IP_UNICAST_IF", 2, 0, 50, struct.pack(">i", index)),
        ("IPV6_UNICAST_IF", 10, 41, 76, struct.pack(">i", index)),
        ("IPV6_PKTINFO", 10, 41, 50, bytes(16) + struct.pack("=i", index)),
        ("IPV6_RTHDR", 10, 41, 57, segment_route)):
    arguments = [str(family), str(level), str(option), value.hex()]
    result, found = denials('exec python3 -c "$@"', "-", SET, *arguments)
    check("set" not in result.stdout, f"{what} is set", result)
    check(any(d["rule"] == "kernel.call" and d["call"] == "setsockopt" for d in found), f"{what}: not named: {found}", result)
    control = shell("python3", "-c", SET, *arguments)
    by_root_only = what == "IP_OPTIONS" and os.geteuid() != 0
    check(by_root_only or control.stdout == "set\n", f"control: {what} cannot be set without a sandbox", control)
