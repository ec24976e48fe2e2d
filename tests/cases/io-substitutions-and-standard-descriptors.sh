. "$SUPPORT/case.sh"
# Process substitution and the names of the caller's own descriptors, with descriptor 3 open in the caller.
exec 3<a.txt
same_as_bash -c 'diff <(echo a) <(echo b)'
same_as_bash -c 'echo a | tee >(cat >/dev/null)'
same_as_bash -c 'echo a >/dev/stderr'
same_as_bash -c 'echo b >/dev/stdout'
same_as_bash -c ': >/dev/null; echo x >/dev/full'
sbx 'cat <&3'
check_out alpha
exec 3<a.txt
same_as_bash -c 'cat /dev/fd/3'
STDIN=a.txt same_as_bash -c 'cat /dev/stdin'
STDIN=a.txt same_as_bash -c 'cat /proc/self/fd/0 /dev/fd/0'
STDIN=a.txt same_as_bash -c 'read -r x; echo "$x"; cat'
same_as_bash -c 'echo x | cat /dev/stdin'
same_as_bash -c 'exec 7>f7; echo seven >&7; echo more >/dev/fd/7; cat f7'
same_as_bash -c 'paste <(seq 3) <(seq 4 6)'
same_as_bash -c 'coproc cat; echo hi >&${COPROC[1]}; read -r l <&${COPROC[0]}; echo $l'
same_as_bash -c 'mkfifo p; (echo through > p) & cat p; wait; rm p'
same_as_bash -c '[ -t 0 ]; echo $?; [ -t 1 ]; echo $?'
check_status 0
