"""Writes a line to OUTPUT for each file that is created in, moved into or removed from DIRECTORY or a folder below it.

usage: watch_directory.py DIRECTORY OUTPUT
"""
import ctypes
import os
import sys

IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE, IN_DELETE = 0x40, 0x80, 0x100, 0x200
libc = ctypes.CDLL(None, use_errno=True)
watch = libc.inotify_init1(0)
for directory, _, _ in os.walk(sys.argv[1]):
    libc.inotify_add_watch(watch, os.fsencode(directory), IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE)
with open(sys.argv[2], "w", buffering=1) as output:
    while True:
        output.write(repr(os.read(watch, 65536)) + "\n")
