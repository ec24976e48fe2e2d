"""One record for each command and each refusal, as JSON lines, whole even when many shells write at once; no secrets in it."""
import glob
import json
import os
import subprocess

from case import *


def records():
    found = []
    for path in glob.glob(HOME + "/.local/state/sbxsh/**/*.jsonl", recursive=True):
        for line in content(path).splitlines():
            found.append(json.loads(line))
    return found


sbx("echo CONTENT-OF-A-FILE > f; cat f; exit 7", env={**os.environ, "PLAIN_VARIABLE": "VALUE-OF-A-VARIABLE"})
sbx("touch ~/outside")
found = records()
commands = [r for r in found if r["event"] == "command"]
refusals = [r for r in found if r["event"] == "refusal"]
check(len(commands) == 2 and len(refusals) == 1, f"records: {found}")
check(commands[0]["status"] == 7 and commands[0]["command"].startswith("echo CONTENT") and commands[0]["workspace"] == W, f"{commands[0]}")
check(refusals[0]["rule"] == "fs.write.outside-workspace" and refusals[0]["object"] == HOME + "/outside", f"{refusals[0]}")
check("VALUE-OF-A-VARIABLE" not in json.dumps(found), "the environment is in the log")
many = [subprocess.Popen([SBXSH, "-c", f"for n in 1 2 3 4 5; do touch ~/out-$n-{number}; done; exit {number}"], stderr=subprocess.DEVNULL) for number in range(20)]
for child in many:
    child.wait()
found = records()
check(sorted(r["status"] for r in found if r["event"] == "command" and "out-$n" in r["command"]) == list(range(20)), "a record of a command is missing")
check(len([r for r in found if r["event"] == "refusal" and "/out-" in r["object"]]) == 100, "a record of a refusal is missing")
result = sbx("cat ~/.local/state/sbxsh/*; echo forged >> ~/.local/state/sbxsh/audit.jsonl; rm -r ~/.local/state/sbxsh")
check("event" not in result.stdout, "the log can be read inside", result)
check(len(records()) >= 122, "the log was changed from inside", result)
result = shell(SBXCTL, "log")
check(result.returncode == 0 and "fs.write.outside-workspace" in result.stdout, "sbxctl log", result)
