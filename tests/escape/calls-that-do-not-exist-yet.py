"""System calls that this kernel, or this program, does not know are answered like one that does not exist, or refused."""
from case import *

for number in (*range(452, 480), 500, 1000, 0x40000000 + 2, 0x40000000 + 257):
    result = sbx(f"exec {ATTACK}/call {number} i:-100 's:{HOME}/.ssh/id_rsa' i:1 b:64 i:16 i:0")
    check(result.stdout.strip() in ("38", "1", "13", "22", "9", "14", "95", "20", "2", "34", "77", "7"), f"call {number} succeeded", result)
result = sbx(f"exec {ATTACK}/call 437 i:-100 s:{HOME}/outside b:24 i:24")
check(result.returncode != 0, "openat2", result)
