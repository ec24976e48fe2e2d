"""Debian's source packages, fetched by apt-get with lists of its own, so that nothing on the machine is changed."""
import glob
import os
import re
import subprocess
import threading


class Unavailable(Exception):
    """A source package that cannot be had, and why."""


def codename():
    with open("/etc/os-release") as file:
        return re.search(r"^VERSION_CODENAME=(\w+)", file.read(), re.M)[1]


def source_lines():
    """`deb-src` lines for the places from which this machine takes its own packages of the release."""
    lines = []
    release = codename()
    for path in glob.glob("/etc/apt/sources.list.d/*.sources"):
        with open(path) as file:
            for stanza in re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", file.read(), flags=re.M)):
                fields = dict(re.findall(r"^([\w-]+):\s*(.+)$", stanza, re.M))
                if release in fields.get("Suites", "").split():
                    key = fields.get("Signed-By")
                    option = f"[signed-by={key}] " if key else ""
                    lines += [f"deb-src {option}{uri} {release} main" for uri in fields["URIs"].split()]
    for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list")]:
        if os.path.exists(path):
            with open(path) as file:
                found = re.findall(rf"^deb(?:-src)?\s+(\[.*?\]\s+)?(\S+)\s+{release}\s+main\b", file.read(), re.M)
                lines += [f"deb-src {option}{uri} {release} main" for option, uri in found]
    return sorted(set(lines))


class Sources:
    """A directory that keeps what was fetched."""

    def __init__(self, directory):
        self.directory = directory
        self.guard = threading.Lock()
        self.updated = False

    def apt_get(self, *arguments):
        state = f"{self.directory}/apt"
        for part in ("lists/partial", "cache/archives/partial"):
            os.makedirs(f"{state}/{part}", exist_ok=True)
        with open(f"{state}/sources.list", "w") as file:
            file.write("\n".join(source_lines()) + "\n")
        options = {"Dir::Etc::sourcelist": f"{state}/sources.list", "Dir::Etc::sourceparts": "/dev/null", "Dir::Cache": f"{state}/cache",
                   "Dir::State::lists": f"{state}/lists", "APT::Sandbox::User": "root"}
        words = [word for option, value in options.items() for word in ("-o", f"{option}={value}")]
        done = subprocess.run(["apt-get", "-qq", *words, *arguments], cwd=self.directory, capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"apt-get {' '.join(arguments)}: {done.stderr.strip()}")

    def description(self, package):
        """The .dsc file of a package, fetched when it is not there yet."""
        with self.guard:
            found = glob.glob(f"{self.directory}/{package}_*.dsc")
            if not found:
                if not self.updated:
                    self.apt_get("update")
                    self.updated = True
                self.apt_get("source", "--download-only", package)
                found = glob.glob(f"{self.directory}/{package}_*.dsc")
            return found[-1]

    def unpack(self, package, target):
        description = self.description(package)
        done = subprocess.run(["dpkg-source", "--no-check", "-x", description, target], capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"dpkg-source -x {description}: {done.stderr.strip()}")
