"""The same refusal as text, in one line, as JSON on stderr and on a descriptor, and not at all."""
import json
import os

from case import *

COMMAND = "echo before; touch $HOME/outside; true"


def told(how):
    return sbx(COMMAND, env={**os.environ, "SBXSH_DIAGNOSTICS": how})


text, line, off = told("text"), told("line"), told("off")
own = bare("touch /nonexistent/outside; true").stderr.replace("/nonexistent/outside", HOME + "/outside").replace(
    "No such file or directory", "Permission denied")
check(off.stderr == own, "more than touch's own message with diagnostics off", off)
check(text.stderr.startswith(own + "sbxsh: blocked: create " + HOME + "/outside\n"), "text", text)
check(line.stderr.startswith(own) and line.stderr.count("\n") == own.count("\n") + 1, "not one line", line)
check("fs.write.outside-workspace" in line.stderr and HOME + "/outside" in line.stderr, "the line lacks rule or object", line)
for result in (text, line, off):
    check(result.returncode == 0 and result.stdout == "before\n", "the command itself", result)
asjson = told("json")
document = json.loads(asjson.stderr[len(own):])
check(document["type"] == "denial" and document["rule"]["id"] == "fs.write.outside-workspace", "JSON on stderr", asjson)
result, found = denials(COMMAND)
check(result.stderr == own, "stderr has more than touch's own message when JSON goes elsewhere", result)
check(len(found) == 1, f"{len(found)} denials", result)
denial = found[0]
for key, value in {"access": "write", "object": HOME + "/outside", "rule": "fs.write.outside-workspace", "origin": "built in"}.items():
    check(denial[key] == value, f"{key} is {denial.get(key)!r}", result)
check(denial["process"]["argv"] == ["touch", HOME + "/outside"], f"argv {denial['process']}", result)
check(denial["process"]["program"].endswith("/touch"), f"program {denial['process']}", result)
check(denial["remedy"]["kind"] in ("policy", "elevate"), f"remedy {denial['remedy']}", result)
check(COMMAND[denial["span"]["begin"]:denial["span"]["end"]] == "touch $HOME/outside", f"span {denial['span']}", result)
check(denial["span"]["what"] == "command", f"span {denial['span']}", result)
result, found = denials("echo nothing refused")
check(found == [], "denials without a refusal", result)
