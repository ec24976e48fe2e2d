. "$SUPPORT/case.sh"
# /proc is how the broker looks at its callers. Without it, or with that of another PID namespace, nothing runs; one that
# hides others' processes is no hindrance, nor is being process 1.
[ "$(id -u)" = 0 ] || exit 0 # Only root mounts.
need unshare setpriv

in_mounts() { run timeout -k 1 30 unshare --mount bash -c "$1" "$SBXSH"; }
in_mounts 'umount -l /proc; exec "$0" -c "echo ran >ran"'
check_status 125
check_err_has 'sbxsh: /proc: cannot set up the sandbox: No such file or directory'
check_absent ran

run timeout -k 1 30 unshare --pid --fork "$SBXSH" -c 'echo ran >ran'
check_status 125
check_err_has 'sbxsh: /proc: cannot set up the sandbox: it shows the processes of another PID namespace'
check_absent ran

in_mounts 'mount -t proc -o hidepid=2 proc /proc; chmod 777 .; exec setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent \
    "$0" -c "echo made >made; cat made; kill -0 1; echo x >$OUTSIDE/new"'
check_status 1
check_out made
check_report 'fs.write.outside-workspace'
check_absent "$OUTSIDE/new"

run timeout -k 1 30 unshare --pid --fork --mount-proc "$SBXSH" -c 'sleep 0.2 & wait; echo $$ >pid; exit 5'
check_status 5
[ "$(cat pid)" -gt 1 ] || fail "the command is process 1"
run timeout -k 1 30 unshare --pid --fork --mount-proc "$SBXSH" -c 'kill -TERM $$'
check_status 143
