#!/usr/bin/env python3
"""Fails on an #include that points against the order of the folders, or on a system-call header where none may be.

usage: check_includes.py SOURCE-ROOT
"""
import os
import re
import sys

# Folder: the folders that it may include from (besides itself).
PURE = ["core"]
VALUES = PURE + ["command", "policy", "report"]
ARROWS = {
    "core": [],
    "command": PURE,
    "policy": PURE,
    "report": PURE + ["command"],
    "os": VALUES,
    "audit": VALUES + ["os"],
    "launch": VALUES + ["os"],
    "elevate": VALUES + ["os"],
    "egress": VALUES + ["os"],
    "linux": VALUES + ["os", "audit", "launch", "elevate", "egress"],
    "seatbelt": VALUES + ["os", "audit", "launch", "elevate", "egress"],
    "wsl2": VALUES + ["os", "audit", "launch", "elevate", "egress"],
    "container": VALUES + ["os", "audit", "launch", "elevate", "egress"],
    "front": VALUES + ["os", "audit", "launch", "elevate", "egress", "linux", "seatbelt", "wsl2", "container"],
    "ctl": VALUES + ["os", "audit", "launch", "elevate", "egress", "linux", "seatbelt", "wsl2", "container"],
    "shell": VALUES + ["os", "audit", "launch", "elevate", "egress", "linux", "seatbelt", "wsl2", "container"],
    "main": VALUES + ["os", "audit", "launch", "elevate", "egress", "linux", "seatbelt", "wsl2", "container", "front", "shell"],
}
# Folders of pure functions: no system calls, so none of the headers that declare them (arpa/inet.h only converts texts).
NO_SYSTEM_CALLS = ["core", "command", "policy", "report"]
SYSTEM_HEADER = re.compile(r"^(unistd|fcntl|dirent|poll|pwd|grp|sched|signal|spawn|termios|pthread|netdb|dlfcn|glob|ftw|"
                           r"csignal|filesystem|fstream|thread|mutex|sys/(?!types\.h)\w+|linux/\w+|netinet/\w+)"
                           r"(\.h)?$|^(sys|linux|netinet|asm)/(?!types\.h)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path):
    """The folder of ARROWS that a source file belongs to: 'policy' for src/policy/x.cpp, 'main' for src/main.cpp."""
    parts = path.split("/")
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else "main"
    return parts[1]


def violations(root):
    for top in ("src", "backends"):
        for directory, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                if not name.endswith((".h", ".cpp")):
                    continue
                path = os.path.relpath(os.path.join(directory, name), root)
                folder = folder_of(path)
                if folder not in ARROWS:
                    yield f"{path}: folder '{folder}' is not in ARROWS of tests/support/check_includes.py"
                    continue
                yield from violations_of_file(root, path, folder)


def violations_of_file(root, path, folder):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, header = match.groups()
            target = header.split("/")[0]
            if quote == '"':
                if target in ARROWS and target != folder and target not in ARROWS[folder]:
                    yield f"{path}:{number}: {folder} may not include from {target}"
                if target not in ARROWS:
                    yield f"{path}:{number}: \"{header}\" is not given from src/ or backends/"
            elif folder in NO_SYSTEM_CALLS and SYSTEM_HEADER.match(header):
                yield f"{path}:{number}: {folder} makes no system calls, so it may not include <{header}>"


def main():
    found = list(violations(sys.argv[1]))
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
