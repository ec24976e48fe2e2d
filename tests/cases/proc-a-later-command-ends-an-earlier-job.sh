. "$SUPPORT/case.sh"
# A job that one command left behind belongs to the workspace: a later command there may end it, as under bash.
gone() {
    local turn
    for turn in {1..100}; do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    fail "still runs: $1"
}

job=$("$SBXSH" -c 'sleep 300 >/dev/null 2>&1 & echo $!')
works "kill -0 $job && kill $job"
gone "$job"

job=$("$SBXSH" -c 'set -m; { sleep 300; sleep 300; } >/dev/null 2>&1 & echo $!')
[ "$(ps -o pgid= -p "$job" | tr -d ' ')" = "$job" ] || fail "control: the job leads no group"
works "kill -TERM -- -$job"
gone "$job"

job=$("$SBXSH" -c 'sleep 300 >/dev/null 2>&1 & echo $!')
works "renice -n 5 -p $job >/dev/null"
[ "$(ps -o ni= -p "$job" | tr -d ' ')" = 5 ] || fail "not reniced"
mkdir "$ROOT/elsewhere"
cd "$ROOT/elsewhere" || exit 1
sbx "kill $job"
check_report process.signal.outside "process $job (sleep)"
kill -0 "$job" || fail "ended from another workspace"
cd "$W" || exit 1
works "kill $job"
gone "$job"
