"""All that bash accepts at start goes to it unchanged, and gives what it gives there."""
import os

from case import *

with open("script", "w") as file:
    file.write('echo script "$0" "$#" "$@"; read -r line; echo "read: $line"; exit 4\n')
with open("rc", "w") as file:
    file.write("echo rc read\nalias hi='echo hello'\n")
os.chmod("script", 0o755)
with open(HOME + "/.bash_profile", "w") as file:
    file.write("echo profile\n")
with open(HOME + "/.bashrc", "w") as file:
    file.write("echo bashrc\n")
SHOW = 'echo "[$0] $# [$*] $-"'
FORMS = [
    ["-c", SHOW], ["-c", SHOW, "name"], ["-c", SHOW, "name", "a b", "", "-c"], ["-c", SHOW, "--", "x"], ["-c", "--", SHOW, "n", "x"], ["-c", "-", SHOW, "n"],
    ["-lc", SHOW], ["-cl", SHOW], ["-l", "-c", SHOW], ["-c", "-l", SHOW], ["-c", "-l", SHOW, "n", "x"], ["-cu", 'echo $nosuch; echo no'], ["-uc", 'echo $nosuch; echo no'],
    ["-ec", "false; echo no"], ["-e", "-c", "false; echo no"], ["-eo", "pipefail", "-c", "false | true; echo no"], ["-euo", "pipefail", "-c", SHOW + "; false | true; echo no"],
    ["-o", "pipefail", "-c", "false | true; echo $?"], ["-o", "errexit", "+o", "errexit", "-c", "false; echo yes"], ["-O", "extglob", "-c", "echo +(a.txt)"],
    ["+O", "sourcepath", "-c", "shopt sourcepath"], ["-O", "extglob", "-c", "shopt extglob", "-O"], ["-xc", "echo x"], ["-x", "+x", "-c", "echo x"], ["-vc", "echo v"], ["-nc", "echo n"],
    ["-fc", "echo *"], ["-f", "+f", "-c", "echo *.txt"], ["-Cc", "echo > a.txt"], ["-ac", "V=1; env | grep ^V="], ["-pc", SHOW], ["-rc", "cd /"], ["--restricted", "-c", "cd /"],
    ["-Bc", "echo {a,b}"], ["+B", "-c", "echo {a,b}"], ["--posix", "-c", "set -o | grep posix"], ["-posix", "-c", SHOW], ["--norc", "--noprofile", "-c", SHOW], ["-norc", "-c", SHOW],
    ["--login", "-c", SHOW], ["--noprofile", "-lc", SHOW], ["-login", "-c", SHOW], ["--rcfile", "rc", "-c", SHOW], ["--init-file", "rc", "-c", SHOW], ["--verbose", "-c", "echo x"],
    ["--noediting", "-c", SHOW], ["--version"], ["--help"], ["-version"], ["--dump-strings", "-c", 'echo $"s"'], ["-D", "-c", 'echo $"s"'], ["--pretty-print", "script"], ["-o"], ["+o"], ["-O"], ["+O"],
    ["script"], ["script", "a", "b c"], ["./script", "x"], ["--", "script", "-x"], ["-", "script", "y"], ["-e", "script"], ["-x", "script", "1"], ["-s", "a", "b"], ["-s"], ["-s", "--", "a"], ["-es", "z"], [],
    ["-"], ["--"], ["-i", "-c", "echo $-"], ["-c"], ["-c", ""], ["-c", "--"], ["-c", " "], ["-c", "\n\n"], ["-c", "echo 'a\nb'"], ["-c", "echo é \udcff"], ["-z"], ["--nosuch"], ["-o", "nosuch", "-c", "echo x"],
    ["-O", "nosuch", "-c", "echo x"], ["-ce", "false; echo no", "n"], ["-c", "exit", "7"], ["-c", 'exit "$1"', "n", "9"], ["nosuch", "a"], ["src"], ["/dev/null"], ["/dev/stdin"], ["-T", "-c", SHOW], ["-E", "-c", SHOW],
    ["-hHc", SHOW], ["-mc", SHOW], ["-k", "-c", SHOW], ["-tc", "echo t"], ["-bc", SHOW], ["-P", "-c", SHOW], ["--debugger", "-c", "echo $-"], ["--rpm-requires", "script"], ["-cs", SHOW, "x"],
    ["-c", "echo --sbx-help", "--sbx-help"], ["-c", 'echo "$1"', "n", "--sbx-policy"],
]
STDIN = "echo from stdin $# \"$@\"\nread -r x\nthe line\necho got $x\nexit 3\n"
for form in FORMS:
    if "-i" in form:
        expected, got = both(*form, input=STDIN, stdin=None)
        check((expected.returncode, expected.stdout) == (got.returncode, got.stdout), f"{form}: bash {expected}", got)
    else:
        check_same(*form, input=STDIN, stdin=None)
for variables in ({"BASH_ENV": W + "/rc"}, {"ENV": W + "/rc"}, {"SHELLOPTS": "pipefail:noglob"}, {"BASHOPTS": "extglob:nullglob"}, {"POSIXLY_CORRECT": "1"}, {"BASH_FUNC_f%%": "() { echo function; }"}, {"IFS": ":"},
                  {"PS4": "+{$LINENO} "}, {"SHLVL": "0"}, {"_": "junk"}, {"1BAD": "x"}, {"EMPTY": ""}, {"NL": "a\nb"}):
    check_same("-c", SHOW + "; f 2>/dev/null; env -0 | tr '\\0' ';' | tr -d '\\n' | grep -o 'NL=a.'; set -x; echo *", env={**os.environ, **variables})
