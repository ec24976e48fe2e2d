"""Calls that mount, load, trace or unshare are refused whoever asks, and named; without privileges of root too."""
import os

from case import *

CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x00020000, 0x20000000, 0x40000000
# name: (number, arguments). The arguments are such that nothing happens where the call is not refused.
CALLS = {
    "mount": (165, ["s:none", "s:/nonexistent", "s:tmpfs", "i:0", "i:0"]),
    "umount2": (166, ["s:/nonexistent", "i:0"]),
    "pivot_root": (155, ["s:/nonexistent", "s:/nonexistent"]),
    "chroot": (161, ["s:/nonexistent"]),
    "setns": (308, ["i:-1", "i:0"]),
    "unshare": (272, [f"i:{CLONE_NEWUSER}"]),
    "unshare-mounts": (272, [f"i:{CLONE_NEWNS}"]),
    "unshare-net": (272, [f"i:{CLONE_NEWNET}"]),
    "open_tree": (428, ["i:-100", "s:/nonexistent", "i:1"]),
    "move_mount": (429, ["i:-1", "s:", "i:-1", "s:", "i:0"]),
    "fsopen": (430, ["s:nonexistent", "i:0"]),
    "fsconfig": (431, ["i:-1", "i:0", "i:0", "i:0", "i:0"]),
    "fsmount": (432, ["i:-1", "i:0", "i:0"]),
    "fspick": (433, ["i:-100", "s:/nonexistent", "i:0"]),
    "mount_setattr": (442, ["i:-100", "s:/nonexistent", "i:0", "b:32", "i:32"]),
    "bpf": (321, ["i:0", "b:8", "i:8"]),
    "perf_event_open": (298, ["b:128", "i:0", "i:-1", "i:-1", "i:0"]),
    "userfaultfd": (323, ["i:1"]),
    "io_uring_setup": (425, ["i:1", "b:200"]),
    "io_uring_enter": (426, ["i:-1", "i:0", "i:0", "i:0", "i:0"]),
    "io_uring_register": (427, ["i:-1", "i:0", "i:0", "i:0"]),
    "keyctl": (250, ["i:0", "i:-3", "i:0"]),
    "add_key": (248, ["s:user", "s:case", "s:x", "i:1", "i:-3"]),
    "request_key": (249, ["s:user", "s:case", "i:0", "i:0"]),
    "kexec_load": (246, ["i:0", "i:0", "i:0", "i:-1"]),
    "kexec_file_load": (320, ["i:-1", "i:-1", "i:0", "i:0", "i:-1"]),
    "init_module": (175, ["i:0", "i:0", "i:0"]),
    "finit_module": (313, ["i:-1", "i:0", "i:0"]),
    "delete_module": (176, ["s:nonexistent", "i:0"]),
    "swapon": (167, ["s:/nonexistent", "i:0"]),
    "swapoff": (168, ["s:/nonexistent"]),
    "quotactl": (179, ["i:-1", "s:/nonexistent", "i:0", "i:0"]),
    "acct": (163, ["s:/nonexistent"]),
    "open_by_handle_at": (304, ["i:-1", "b:200", "i:0"]),
    "reboot": (169, ["i:0", "i:0", "i:0", "i:0"]),
    "settimeofday": (164, ["i:1", "i:1"]),
    "clock_settime": (227, ["i:0", "i:1"]),
    "ptrace-attach": (101, ["i:16", "i:1"]),
    "ptrace-seize": (101, ["i:0x4206", "i:1", "i:0", "i:0"]),
    "process_vm_readv": (310, ["i:1", "b:16", "i:0", "b:16", "i:0", "i:0"]),
    "fanotify_init": (300, ["i:0xffff", "i:0"]),
    "sethostname": (170, ["i:1", "i:1000"]),
    "iopl": (172, ["i:9"]),
    "lookup_dcookie": (212, ["i:0", "i:0", "i:0"]),
}
# Answered as if the kernel had them not, so that programs do without; or of no use to anybody.
SILENT = {"io_uring_setup", "lookup_dcookie", "io_uring_enter", "io_uring_register", "process_vm_readv"}
for name, (number, arguments) in CALLS.items():
    quoted = " ".join(f"'{a}'" for a in arguments)
    result, found = denials(f"exec {ATTACK}/call {number} {quoted}")
    check(result.returncode == 1, f"{name} was not refused", result)
    check(result.stdout.strip() in ("1", "13", "38"), f"{name} reached the kernel: errno {result.stdout.strip()}", result)
    if name not in SILENT:
        call = name.split("-")[0]
        check(any(call in d["call"] or call in d["object"] for d in found), f"{name} is not named: {found}", result)
        check(all(d["rule"] for d in found), f"{name}: a refusal without a rule: {found}", result)

# New namespaces by clone and clone3.
result, found = denials(f"exec {ATTACK}/call 56 i:{CLONE_NEWUSER | 17} i:0 i:0 i:0 i:0")
check(result.stdout.strip() in ("1", "13", "38"), "clone made a user namespace", result)
result, found = denials(f"exec {ATTACK}/call 56 i:{CLONE_NEWPID | 17} i:0 i:0 i:0 i:0")
check(result.stdout.strip() in ("1", "13", "38"), "clone made a pid namespace", result)
for flags in ("-U", "-Ur", "-m", "-n", "-p", "-i", "-u", "-C"):
    result = sbx(f"unshare {flags} true")
    check(result.returncode != 0, f"unshare {flags} passed", result)
# Characters cannot be typed into a terminal, nor pasted, not even into one's own.
terminal, side = os.openpty()
for request in ("0x5412", "0x541c"):
    result, found = denials(f"exec {ATTACK}/call 16 r:{os.ttyname(side)} i:{request} 's:x'", pass_fds=(side,))
    check(result.stdout.strip() in ("1", "13"), f"ioctl {request} reached the kernel", result)
    check(any("ioctl" in d["call"] for d in found), f"ioctl {request} is not named: {found}", result)
