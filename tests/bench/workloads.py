"""The workloads: what each needs beforehand, what it runs, and the ratio that is to be reached."""
import os
import random
import shutil
import subprocess

FILES = 20_000
DIRECTORIES = 200
C_FILES = 40

CREATE_AND_RENAME = r"""
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char** operands) {
    if (count != 2 || chdir(operands[1]) != 0) return 2;
    for (int i = 0; i < 2000; ++i) {
        char before[32], after[32];
        snprintf(before, sizeof before, "bench.%d", i);
        snprintf(after, sizeof after, "bench.%d.done", i);
        int file = open(before, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (file < 0 || write(file, "content\n", 8) != 8 || close(file) != 0) return 3;
        if (rename(before, after) != 0 || unlink(after) != 0) return 4;
    }
    return 0;
}
"""


class Workload:
    """A script for `bash -c` in a directory; before() runs untimed ahead of each run."""

    def __init__(self, key, title, to_reach, script, make, needs=(), before=None, operand="", quick=5, full=15):
        self.key = key
        self.title = title
        self.to_reach = to_reach
        self.script = script
        self.make = make
        self.needs = needs
        self.before = before
        self.operand = operand
        self.quick = quick
        self.full = full


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def once(marker):
    """Makes a tree when it is not there yet."""
    def decorate(function):
        def made(place, environment):
            directory = f"{place}/{marker}"
            if not os.path.exists(directory):
                function(directory, environment)
            return directory
        return made
    return decorate


def git(directory, environment, *arguments, **options):
    subprocess.run(["git", *arguments], cwd=directory, env=environment, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, **options)


@once("repository")
def repository(directory, environment):
    """A repository of 20,000 files of some 2 kB in 200 directories, and 300 commits."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 10))) for _ in range(2000)]
    os.makedirs(directory)
    git(directory, environment, "init", "-q")
    author = "committer Bench <bench@example.org> {} +0000\n"
    stream = [f"commit refs/heads/main\n{author.format(1_700_000_000)}data 5\nfirst\n"]
    for number in range(FILES):
        text = "".join(" ".join(chance.choices(words, k=10)) + "\n" for _ in range(30))
        stream.append(f"M 100644 inline d{number % DIRECTORIES:03}/f{number}.txt\ndata {len(text)}\n{text}\n")
    for number in range(300):
        stream.append(f"commit refs/heads/main\n{author.format(1_700_000_001 + number)}data 4\nmore\n"
                      f"M 100644 inline count.txt\ndata {len(str(number))}\n{number}\n")
    git(directory, environment, "fast-import", "--quiet", input="".join(stream).encode())
    git(directory, environment, "symbolic-ref", "HEAD", "refs/heads/main")
    git(directory, environment, "reset", "--hard", "-q")


@once("c-project")
def c_project(directory, environment):
    """A program of 40 files with a makefile, and a repository around it."""
    chance = random.Random(2)
    for number in range(C_FILES):
        functions = "".join(
            f"int f{number}_{n}(const char *text, int seed) {{\n    int sum = seed;\n    char buffer[64];\n"
            f"    for (const char *p = text; *p; ++p) sum = sum * {chance.randint(3, 99)} + (*p ^ {n});\n"
            f"    snprintf(buffer, sizeof buffer, \"%d:%s\", sum, text);\n"
            f"    return (int)strlen(buffer) + abs(sum) % {chance.randint(3, 999)};\n}}\n" for n in range(30))
        write(f"{directory}/f{number}.c", '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
                                          f'#include <unistd.h>\n#include "all.h"\n{functions}')
    write(f"{directory}/all.h", "".join(f"int f{n}_0(const char *text, int seed);\n" for n in range(C_FILES)))
    calls = " + ".join(f'f{n}_0("text", {n})' for n in range(C_FILES))
    write(f"{directory}/main.c", f'#include "all.h"\nint main(void) {{ return ({calls}) == 0; }}\n')
    objects = " ".join(f"f{n}.o" for n in range(C_FILES))
    write(f"{directory}/Makefile", f"CFLAGS = -O1\nprogram: main.o {objects}\n\t$(CC) -o $@ $^\n%.o: %.c all.h\n"
                                   f"\t$(CC) $(CFLAGS) -c -o $@ $<\nclean:\n\trm -f *.o program\n")
    git(directory, environment, "init", "-q")


@once("package")
def package(directory, environment):
    """A package that depends on a packed one beside it."""
    made = f"{directory}.parts"
    names = []
    for number in range(5):
        name = f"part-{number}"
        write(f"{made}/{name}/package.json", f'{{"name": "{name}", "version": "1.0.0", "main": "f0.js"}}\n')
        for n in range(40):
            write(f"{made}/{name}/f{n}.js", f"module.exports = {n};\n" * 20)
        subprocess.run(["npm", "pack", "--silent"], cwd=f"{made}/{name}", env=environment, check=True, stdout=subprocess.DEVNULL)
        os.makedirs(directory, exist_ok=True)
        shutil.move(f"{made}/{name}/{name}-1.0.0.tgz", directory)
        names.append(f'"{name}": "file:{name}-1.0.0.tgz"')
    write(f"{directory}/package.json", '{"name": "bench", "version": "1.0.0", "dependencies": {' + ", ".join(names) + "}}\n")
    git(directory, environment, "init", "-q")


@once("plain")
def plain(directory, environment):
    """A small repository, and the program that creates, renames and removes files."""
    write(f"{directory}/create.c", CREATE_AND_RENAME)
    git(directory, environment, "init", "-q")
    if shutil.which("cc"):
        subprocess.run(["cc", "-O2", "-o", f"{directory}/create", f"{directory}/create.c"], check=True)


def forget_modules(directory):
    shutil.rmtree(f"{directory}/node_modules", ignore_errors=True)
    if os.path.exists(f"{directory}/package-lock.json"):
        os.unlink(f"{directory}/package-lock.json")


def forget_objects(directory):
    subprocess.run(["make", "-s", "clean"], cwd=directory, check=True)


ALL = [
    Workload("cc", "C build, 40 files, make -j2", 1.03, "make -s -j2", c_project, ("make", "cc"), forget_objects, quick=3, full=9),
    Workload("git", "git status + log, 20,000 files", 1.04, "git status && git log", repository, ("git",), quick=7),
    Workload("grep", "grep -r, 20,000 files", 1.25, "grep -r zqzqzq . || true", repository, ("grep",), quick=7),
    Workload("rg", "rg, 20,000 files", 1.20, "rg zqzqzq . || true", repository, ("rg",), quick=7),
    Workload("find", "find . | xargs stat", 1.18, "find . -print0 | xargs -0 stat", repository, ("find",), quick=7),
    Workload("true", "1,000 × /bin/true in bash", 1.08, "for ((i = 0; i < 1000; i++)); do /bin/true; done", plain, quick=5),
    Workload("npm", "npm install of local packages", 1.05, "npm install --offline --no-audit --no-fund --silent", package,
             ("npm",), forget_modules, quick=5, full=11),
    Workload("node", "node -e 0", 1.15, "node -e 0", plain, ("node",), quick=11, full=31),
    Workload("ext4", "2,000 × create, write, rename, unlink (disk)", 1.15, './create .', plain, ("cc",), quick=9, full=21),
    Workload("tmpfs", "the same on tmpfs", 2.0, './create "$1"', plain, ("cc",), operand="/dev/shm", quick=11, full=31),
]
