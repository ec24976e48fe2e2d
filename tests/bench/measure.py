"""Runs commands side by side, round by round, and tells medians and quartiles of time and of ratios."""
import enum
import os
import statistics
import sys
import time


class Failed(Exception):
    """A command that could not be measured, and what it said."""


class Setting:
    """One way to run `bash -c SCRIPT`; arguments(SCRIPT, OPERANDS) is its whole command line."""

    def __init__(self, name, arguments):
        self.name = name
        self.arguments = arguments


def start(command, environment, directory, log):
    """Starts a command in a directory with nothing to read; what it prints on stderr goes to the log. Returns the pid."""
    here = os.getcwd()
    os.chdir(directory)
    try:
        return os.posix_spawn(command[0], command, environment, file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600),
        ])
    finally:
        os.chdir(here)


def finish(pid, command, log):
    """Waits for a command; returns the seconds of processor time that it and what it waited for took."""
    _, status, usage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        with open(log, errors="replace") as file:
            said = " / ".join(file.read().strip().splitlines()[-3:])
        raise Failed(f"{os.path.basename(command[0])} ended with {code}: {said}")
    return usage.ru_utime + usage.ru_stime


class Clock(enum.Enum):
    """What is counted: the time that passes, or that of processors, which other programs disturb less."""
    WALL = 1
    PROCESSOR = 2


def once(command, environment, directory, log, clock):
    """Runs a command; returns the seconds that it took."""
    begun = time.perf_counter()
    processor = finish(start(command, environment, directory, log), command, log)
    return processor if clock is Clock.PROCESSOR else time.perf_counter() - begun


def together(commands, environment, directory, log):
    """Runs commands at once; returns the seconds until the last one ended, and how many failed."""
    begun = time.perf_counter()
    running = [(start(command, environment, directory, f"{log}.{n}"), command, f"{log}.{n}") for n, command in enumerate(commands)]
    failures = []
    for pid, command, own in running:
        try:
            finish(pid, command, own)
        except Failed as problem:
            failures.append(str(problem))
    seconds = time.perf_counter() - begun
    for _, _, own in running:
        os.unlink(own)
    return seconds, failures


def rounds(settings, measure, count):
    """Calls measure(setting) for each setting in turn, `count` times after one that is not counted.

    The order turns from round to round, so that none always follows the same other. Returns {name: [seconds]}.
    """
    seconds = {setting.name: [] for setting in settings}
    for number in range(count + 1):
        turn = number % len(settings)
        for setting in settings[turn:] + settings[:turn]:
            spent = measure(setting)
            if number > 0:
                seconds[setting.name].append(spent)
    return seconds


class Spread:
    """Median and quartiles of some numbers."""

    def __init__(self, numbers):
        self.middle = statistics.median(numbers)
        if len(numbers) > 1:
            self.low, _, self.high = statistics.quantiles(numbers, n=4, method="inclusive")
        else:
            self.low = self.high = self.middle

    def __format__(self, form):
        return f"{self.middle:{form}} [{self.low:{form}}–{self.high:{form}}]"


def best_ratio(seconds, name, base="native"):
    """The ratio of the fastest rounds: what is left when nothing else runs."""
    return min(seconds[name]) / min(seconds[base])


def ratios(seconds, name, base="native"):
    """The ratios of one setting to another, each within its round."""
    return Spread([a / b for a, b in zip(seconds[name], seconds[base])])


def added_memory(command, environment, directory, log):
    """The proportional set size, in MiB, of a command that sleeps and of all its descendants."""
    pid = start(command, environment, directory, log)
    try:
        time.sleep(0.7)
        return sum(proportional(each) for each in [pid, *descendants(pid)]) / 1024
    finally:
        for each in [pid, *descendants(pid)]:
            if name_of(each) == "sleep":
                os.kill(each, 15)
        os.waitpid(pid, 0)


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return ""


def descendants(pid):
    found = []
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        for task in tasks:
            with open(f"/proc/{pid}/task/{task}/children") as file:
                for child in map(int, file.read().split()):
                    found += [child, *descendants(child)]
    except FileNotFoundError:
        pass
    return found


def proportional(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except FileNotFoundError:
        return 0
    except PermissionError as error:
        raise Failed(f"memory of {name_of(pid)} cannot be read: {error.strerror}; measure as root") from error


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
