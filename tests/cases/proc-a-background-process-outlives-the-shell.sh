. "$SUPPORT/case.sh"
# The shell returns at once; what it left behind goes on, still confined, and a later shell can see and end it.
start=$SECONDS
sbx 'sleep 30 & sleep 0.2; exit 0'
check_status 0
[ $((SECONDS - start)) -lt 15 ] || fail "waited for the background process"
sbx 'setsid bash -c "sleep 1; echo late > late; echo x > $HOME/outside; echo done > done" >/dev/null 2>&1 & echo started'
check_out started
wait_for test -e done
check_content late late
check_absent "$HOME/outside"
sbx 'sleep 60 >/dev/null 2>&1 & echo $!'
pid=$(out)
kill -0 "$pid" || fail "the background process died with the shell"
works "kill -0 $pid && ps -o comm= -p $pid"
check_out sleep
works "kill $pid"
wait_for eval "! kill -0 $pid"
