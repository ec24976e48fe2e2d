#!/usr/bin/env python3
"""Runs the cases of tests/cases and tests/escape against built programs and prints one line for each.

Each case gets a directory of its own with a home, a temporary directory, a workspace and a directory that no rule grants.
It runs as root and as a plain user when started by root, else as the user it is. The directories stand in /var/tmp:
/tmp is writable in the sandbox, so that nothing below it could tell a refusal from a grant.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN_USER = "sbxsh-test"
SECONDS_PER_CASE = 300
SECRETS = {
    ".ssh/id_rsa": "SECRET-SSH-KEY", ".ssh/id_ed25519": "SECRET-ED-KEY", ".aws/credentials": "SECRET-AWS",
    ".netrc": "SECRET-NETRC", ".npmrc": "SECRET-NPM", ".pypirc": "SECRET-PYPI", ".git-credentials": "SECRET-GIT",
    ".kube/config": "SECRET-KUBE", ".docker/config.json": "SECRET-DOCKER", ".config/gh/hosts.yml": "SECRET-GH",
    ".config/gcloud/credentials.db": "SECRET-GCLOUD", ".azure/token": "SECRET-AZURE", ".bash_history": "SECRET-HISTORY",
    ".gnupg/private-keys-v1.d/key": "SECRET-GPG",
}
PLAIN_FILES = {
    ".ssh/config": "Host public\n", ".ssh/known_hosts": "host ssh-ed25519 AAAA\n", ".ssh/id_rsa.pub": "ssh-rsa PUBLIC\n",
    ".gitconfig": "[user]\n\tname = Case\n\temail = case@example.org\n[init]\n\tdefaultBranch = main\n"
                  "[protocol \"file\"]\n\tallow = always\n[safe]\n\tdirectory = *\n",
    "notes.txt": "plain note\n",
}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def make_template(path):
    """The tree that each case gets a copy of."""
    for name, text in {**SECRETS, **PLAIN_FILES}.items():
        write(f"{path}/home/{name}", text if text.endswith("\n") else text + "\n")
    os.chmod(f"{path}/home/.ssh", 0o700)
    for name in SECRETS:
        os.chmod(f"{path}/home/{name}", 0o600)
    os.makedirs(f"{path}/tmp")
    write(f"{path}/outside/victim", "untouched\n")
    write(f"{path}/w/a.txt", "alpha\n")
    write(f"{path}/w/src/main.c", "int main(void) { return 0; }\n")
    environment = dict(os.environ, HOME=f"{path}/home")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], cwd=f"{path}/w", env=environment, check=True)


def build_attacks(target, sources):
    """Compiles the programs that `sources` name in lines `// build NAME: COMPILER-FLAGS`; returns the failures."""
    problems = []
    for source in sources:
        with open(source) as file:
            builds = re.findall(r"^// build (\S+):(.*)$", file.read(), re.M)
        for name, flags in builds:
            command = ["gcc", "-O1", "-w", "-D_GNU_SOURCE", "-o", f"{target}/{name}", source, *flags.split()]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                problems.append(f"{name}: {' '.join(command)}\n{done.stderr}")
    return problems


def plain_user():
    try:
        return pwd.getpwnam(PLAIN_USER)
    except KeyError:
        subprocess.run(["useradd", "--create-home", "--home-dir", f"/var/lib/{PLAIN_USER}", "--shell", "/bin/bash", PLAIN_USER],
                       check=True)
        return pwd.getpwnam(PLAIN_USER)


def end_leftovers(marker):
    """Kills what a case left running; its processes are known by their environment."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if marker.encode() in file.read().split(b"\0"):
                    os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass


class Runner:
    def __init__(self, options):
        self.options = options
        self.base = tempfile.mkdtemp(prefix="sbxsh-cases.", dir="/var/tmp")
        os.chmod(self.base, 0o755)
        self.bin = f"{self.base}/bin"
        self.support = f"{self.base}/support"
        self.attack = f"{self.base}/attack"
        self.template = f"{self.base}/template"

    def prepare(self):
        os.mkdir(self.bin)
        os.mkdir(self.attack)
        for program, folder in (("sbxsh", "front"), ("sbxctl", "ctl")):
            built = f"{self.options.bin}/src/{folder}/{program}"
            shutil.copy2(built if os.path.exists(built) else f"{self.options.bin}/{program}", self.bin)
        for name in ("bash", "sh", "dash", "zsh"):
            os.makedirs(f"{self.bin}/as", exist_ok=True)
            os.symlink("../sbxsh", f"{self.bin}/as/{name}")
        shutil.copytree(os.path.dirname(os.path.abspath(__file__)), self.support)
        shutil.copytree(f"{TESTS}/cases", f"{self.base}/cases")
        shutil.copytree(f"{TESTS}/escape", f"{self.base}/escape")
        shutil.copytree(f"{os.path.dirname(TESTS)}/completions/bash", f"{self.base}/completions")
        make_template(self.template)
        sources = [f"{folder}/{name}" for folder in (f"{self.base}/escape", self.support)
                   for name in sorted(os.listdir(folder)) if name.endswith(".c")]
        problems = build_attacks(self.attack, sources)
        for directory, _, files in os.walk(self.base):
            if not directory.startswith(self.template):
                os.chmod(directory, 0o755)
                for name in files:
                    os.chmod(f"{directory}/{name}", os.stat(f"{directory}/{name}").st_mode | 0o044)
        return problems

    def environment(self, root, user, marker):
        return {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "TERM": "dumb",
            "HOME": f"{root}/home", "TMPDIR": f"{root}/tmp", "USER": user.pw_name, "LOGNAME": user.pw_name,
            "SHELL": "/bin/bash", "ROOT": root, "W": f"{root}/w", "OUTSIDE": f"{root}/outside", "ATTACK": self.attack,
            "SUPPORT": self.support, "SBXSH": f"{self.bin}/sbxsh", "SBXCTL": f"{self.bin}/sbxctl",
            "AS": f"{self.bin}/as", "COMPLETIONS": f"{self.base}/completions", "PYTHONPATH": self.support, "PYTHONDONTWRITEBYTECODE": "1",
            "NO_UPDATE_NOTIFIER": "1", "npm_config_update_notifier": "false",
            "CASE_MARKER": marker.split("=", 1)[1],
        }

    def run(self, number, name, user):
        """Runs one case; returns (passed, label, what it printed, missing feature or None)."""
        root = f"{self.base}/{number}"
        subprocess.run(["cp", "-a", self.template, root], check=True)
        if user.pw_uid != os.geteuid():
            subprocess.run(["chown", "-R", f"{user.pw_uid}:{user.pw_gid}", root], check=True)
        marker = f"CASE_MARKER={os.path.basename(self.base)}-{number}"
        interpreter = "/usr/bin/python3" if name.endswith(".py") else "/bin/bash"
        identity = {}
        if user.pw_uid != os.geteuid():
            identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        label = f"{name} ({'root' if user.pw_uid == 0 else 'plain user'})"
        transcript = f"{root}/transcript"
        feature = None
        with open(transcript, "wb") as file:
            child = subprocess.Popen([interpreter, f"{self.base}/{name}"], cwd=f"{root}/w", stdin=subprocess.DEVNULL,
                                     stdout=file, stderr=subprocess.STDOUT, start_new_session=True, umask=0o022,
                                     env=self.environment(root, user, marker), **identity)
            try:
                status = child.wait(self.options.timeout)
            except subprocess.TimeoutExpired:
                status = "still running after %d s" % self.options.timeout
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        end_leftovers(marker)
        with open(transcript, errors="replace") as file:
            said = file.read()
        if status == 77:
            feature = (re.findall(r"^missing: (\S+)", said, re.M) or ["?"])[-1]
        elif status != 0:
            said += f"\n(status: {status})"
        if not self.options.keep:
            subprocess.run(["chmod", "-R", "u+rwX", root], stderr=subprocess.DEVNULL)
            shutil.rmtree(root, ignore_errors=True)
        return status == 0, label, said, feature


def selected(patterns):
    names = [f"{folder}/{name}" for folder in ("cases", "escape") for name in sorted(os.listdir(f"{TESTS}/{folder}"))
             if name.endswith((".sh", ".py"))]
    if not patterns:
        return names
    return [name for name in names if any(fnmatch.fnmatch(name, f"*{pattern}*") for pattern in patterns)]


def main():
    # A shell that starts us in the background has these ignored, and the cases would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="build directory, or one with sbxsh and sbxctl")
    parser.add_argument("--as", dest="identity", choices=["root", "user", "both"], default="both")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=SECONDS_PER_CASE, help="seconds for each case")
    parser.add_argument("--allow-missing", default="", help="comma-separated features that this machine may lack")
    parser.add_argument("--keep", action="store_true", help="leave the cases' directories behind")
    parser.add_argument("pattern", nargs="*", help="run only the cases whose name matches, for instance 'git-*'")
    options = parser.parse_args()

    users = [pwd.getpwuid(os.geteuid())]
    if os.geteuid() == 0:
        users = {"root": users, "user": [plain_user()], "both": users + [plain_user()]}[options.identity]
    runner = Runner(options)
    passed = failed = 0
    try:
        for problem in runner.prepare():
            print("not ok - build of", problem)
            failed += 1
        allowed = set(filter(None, options.allow_missing.split(",")))
        jobs = [(name, user) for name in selected(options.pattern) for user in users]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            running = [pool.submit(runner.run, number, *job) for number, job in enumerate(jobs)]
            for future in running:
                good, label, said, feature = future.result()
                if feature in allowed and feature is not None:
                    print(f"ok - {label} # allowed to be missing: {feature}", flush=True)
                    continue
                print(("ok - " if good else "not ok - ") + label, flush=True)
                passed, failed = passed + good, failed + (not good)
                if not good:
                    print("".join(f"    {line}\n" for line in said.splitlines()), end="", flush=True)
    finally:
        if not options.keep:
            shutil.rmtree(runner.base, ignore_errors=True)
        else:
            print("directories:", runner.base)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
