. "$SUPPORT/case.sh"
# Whatever is refused nothing prints and returns exactly what bash does.
while IFS= read -r command; do
    same_as_bash -c "$command"
done <<'E'
echo hello; exit 7
false
true
nosuchcommand
/nonexistent/file
./a.txt
cat nonexistent
cd nonexistent
ls -la a.txt src
printf '\0\1\377'
echo ${x:?unset}
set -e; false; echo no
set -o pipefail; false | true
if then
echo "unterminated
a() { return 3; }; a
trap 'echo bye' EXIT; exit 4
trap 'echo term' TERM; kill -TERM $$; echo after
kill -9 $$
kill -SEGV $$
kill -INT $$
(exit 3); echo $?
sleep 0.1 & wait $!; echo $?
(kill -9 $BASHPID); echo $?
echo $0 $# $@
echo $-; shopt | sort
echo $SHLVL $PPID | wc -w
set | grep -v -e ^PPID= -e ^_= -e ^BASHPID= -e ^RANDOM= -e ^EPOCH -e ^SRANDOM -e ^SECONDS
env | grep -v ^_= | sort
pwd; pwd -P; echo $PWD $OLDPWD
umask; ulimit -a
type cat cd if
grep -c . a.txt; grep nothing a.txt
ls /nonexistent 2>&1 | tail -1
echo a b c | while read -r x y; do echo "$y"; done
find . -name '*.c' -exec cat {} +
python3 -c 'import sys; print(sys.argv, sys.stdin.read()); sys.exit(9)' x
python3 -c 'import os; os.abort()'
sh -c 'exit 255'
timeout 0.2 sleep 5
seq 100000 | head -n 1
yes | head -n 3
git status --porcelain; git log --oneline --format=%s
ls /proc/self/fd
readlink /proc/self/exe /proc/self/cwd
awk 'BEGIN { print ENVIRON["HOME"]; print "x" > "awk.out"; close("awk.out"); getline y < "awk.out"; print y }'
test -w a.txt && test ! -w /proc/version; echo $?
compgen -v | wc -l
mktemp -d -p . XX >/dev/null; ls -d ??
ps -o stat= -p $$ | cut -c1
cat /proc/self/status | grep -E '^(SigBlk|SigIgn|Umask|Threads)'
E
