. "$SUPPORT/case.sh"
# kill(-1) and kill(0) reach what runs inside, and nothing outside. SIGCONT hurts nobody, should it get out.
bash -c 'trap "echo hit >> $0" CONT; echo >"$1"; while :; do sleep 0.1; done' "$ROOT/hit" "$ROOT/up" &
victim=$!
wait_for test -e "$ROOT/up"
for target in -1 0 "-$$" "-$(ps -o pgid= -p $$ | tr -d ' ')"; do
    sbx "trap 'echo inside' CONT; kill -CONT -- $target; sleep 0.3; true"
    [ ! -e "$ROOT/hit" ] || fail "kill $target reached an outside process"
done
sbx "trap 'echo inside' CONT; kill -CONT \$\$; sleep 0.1"
check_out inside
kill -CONT $victim
wait_for test -e "$ROOT/hit"
kill -9 $victim
