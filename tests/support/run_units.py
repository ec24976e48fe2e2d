#!/usr/bin/env python3
"""Runs the unit test programs below a build directory; the last line counts test cases: "N passed, N failed".

usage: run_units.py BUILD-DIRECTORY
"""
import os
import re
import subprocess
import sys


def programs(build):
    for directory, folders, files in os.walk(os.path.join(build, "tests", "unit")):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(directory, name)
            if name.endswith("_tests") and os.access(path, os.X_OK):
                yield path


def main():
    passed = failed = 0
    for program in programs(sys.argv[1]):
        done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        count = re.search(r"test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed", done.stdout)
        good, bad = (int(count[1]), int(count[2])) if count else (0, 0)
        if done.returncode != 0 and bad == 0:
            bad = 1
        print(f"{'not ok' if bad else 'ok'} - unit {os.path.basename(program)}: {good} passed, {bad} failed")
        if bad:
            print("".join(f"    {line}\n" for line in done.stdout.splitlines()), end="")
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
