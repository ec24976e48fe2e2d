. "$SUPPORT/case.sh"
# No signal to, and no look into, a process that was not started inside.
sleep 300 &
victim=$!
for command in "kill $victim" "kill -9 $victim" "kill -STOP $victim" "kill -0 $victim" \
    "python3 -c 'import os,signal; os.kill($victim, signal.SIGTERM)'" \
    "python3 -c 'import os,signal; signal.pidfd_send_signal(os.pidfd_open($victim), signal.SIGTERM)'" \
    "renice -n 5 -p $victim" "prlimit --pid $victim --nofile=10:10" "chrt -i -p 0 $victim" "taskset -p 1 $victim" \
    "strace -p $victim -o /dev/null" "cat /proc/$victim/environ >/dev/null" "cat /proc/$victim/mem" "readlink /proc/$victim/fd/1" "python3 -c 'open(\"/proc/$victim/environ\").read()'" "python3 -c 'open(\"/proc/$victim/fd/0\")'" "cat /proc/$victim/maps" \
    "readlink /proc/$victim/exe /proc/$victim/cwd" "ls /proc/$victim/root/" "cat /proc/$victim/cwd/a.txt" "cat /proc/$victim/fd/0" "echo 5 > /proc/$victim/oom_score_adj"; do
    # readlink of exe and cwd tells a name only; it may pass or not, but must not be needed
    sbx "$command"
    case $command in 'readlink /proc/'*/exe* | 'kill -0'*) continue ;; esac
    [ "$status" -ne 0 ] || fail "passed: $command"
    [ "$(ps -o stat= -p $victim | cut -c1)" = S ] || fail "hit by: $command"
done
[ "$(ps -o ni= -p $victim | tr -d ' ')" = 0 ] || fail "reniced"
[ "$(prlimit --pid $victim --nofile --noheadings -o SOFT)" != 10 ] || fail "limited"
sbx "kill $victim"
check_report '*' "$victim"
works 'sleep 30 & kill $!; wait $!; [ $? = 143 ] && cat /proc/self/environ /proc/$$/environ | grep -qz "^HOME=" && ls /proc/self/fd/ >/dev/null'
works 'cat /proc/cpuinfo /proc/meminfo /proc/loadavg >/dev/null && ps -e >/dev/null'
kill "$victim"
