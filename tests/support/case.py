"""Assertions for cases written in Python; the counterpart of case.sh, which says what the runner provides."""
import json
import os
import re
import subprocess
import sys
import time

SBXSH = os.environ["SBXSH"]
SBXCTL = os.environ["SBXCTL"]
ROOT = os.environ["ROOT"]
W = os.environ["W"]
HOME = os.environ["HOME"]
OUTSIDE = os.environ["OUTSIDE"]
ATTACK = os.environ["ATTACK"]
os.chdir(W)


def fail(text, result=None):
    """Ends the case, showing a finished command where one is given."""
    print(text)
    if result is not None:
        print("--- command:", result.args)
        print("--- status:", result.returncode)
        print("stdout:", repr(result.stdout)[:5000])
        print("stderr:", repr(result.stderr)[:5000])
    sys.stdout.flush()
    os._exit(1)


def check(condition, text, result=None):
    if not condition:
        fail(text, result)


def missing(feature):
    """Ends the case because the machine lacks something."""
    print("missing:", feature)
    sys.stdout.flush()
    os._exit(77)


def shell(program, *arguments, argv0=None, **options):
    """Runs `program arguments…`, captured as text (bytes that are no UTF-8 as surrogates)."""
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([argv0 or program, *arguments], executable=program, text=True, errors="surrogateescape",
                          **options)


def sbx(command, *arguments, **options):
    return shell(SBXSH, "-c", command, *arguments, **options)


def bare(command, *arguments, **options):
    return shell("/bin/bash", "-c", command, *arguments, **options)


def both(*arguments, **options):
    """The results of bash and of sbxsh called as bash with the same arguments."""
    return (shell("/bin/bash", *arguments, argv0="bash", **options),
            shell(SBXSH, *arguments, argv0="bash", **options))


def check_same(*arguments, **options):
    """bash and sbxsh called as bash give the same stdout, stderr and status (death by signal included)."""
    expected, got = both(*arguments, **options)
    for result in (expected, got):
        # bash names the process in "bash: line 1:  5694 Killed"; that number is nobody's to compare.
        result.stderr = re.sub(r"(?m)^(bash: line \d+:) +\d+ ", r"\1 PID ", result.stderr)
    for field in ("returncode", "stdout", "stderr"):
        check(getattr(expected, field) == getattr(got, field),
              f"{field} of bash: {getattr(expected, field)!r}", got)
    return got


def denials(command, *arguments, **options):
    """Runs `command` in the sandbox with JSON diagnostics on a descriptor of their own: (result, list of denials).

    Of the object that tells the rule, "rule" and "origin" are made plain texts.
    """
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    environment = dict(options.pop("env", os.environ), SBXSH_DIAGNOSTICS="json", SBXSH_DIAGNOSTICS_FD=str(write_end))
    child = subprocess.Popen([SBXSH, "-c", command, *arguments], env=environment,
                             pass_fds=[write_end, *options.pop("pass_fds", ())],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             errors="surrogateescape", **options)
    os.close(write_end)
    stdout, stderr = child.communicate()
    with os.fdopen(read_end, errors="surrogateescape") as stream:
        text = stream.read()
    result = subprocess.CompletedProcess(command, child.returncode, stdout, stderr)
    found = []
    for line in text.splitlines():
        try:
            document = json.loads(line)
        except ValueError:
            fail(f"not JSON: {line!r}", result)
        if document["type"] == "denial":
            rule = document["rule"]
            found.append({**document, "rule": rule["id"], "origin": rule["origin"]})
    return result, found


def wait_for(condition, text, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    fail("did not come true: " + text)


def alive(pid):
    """Whether the process exists and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def content(path):
    with open(path, errors="surrogateescape") as file:
        return file.read()


def user_policy(text):
    """Makes `text` the user's policy."""
    os.makedirs(HOME + "/.config/sbxsh", exist_ok=True)
    with open(HOME + "/.config/sbxsh/policy.toml", "w") as file:
        file.write(text)
