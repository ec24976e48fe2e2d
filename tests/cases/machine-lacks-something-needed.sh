. "$SUPPORT/case.sh"
# Where the kernel, or a filter around us, keeps us from something that the boundary needs, nothing runs: status 125, one
# message that names it, nothing left behind. sbxctl doctor says the same.
lacks() { # OBJECT REASON LACK
    rm -f ran
    run "$ATTACK/without" "$3" -- "$SBXSH" -c 'echo ran >ran'
    check_status 125
    check_absent ran
    [ ! -s "$ROOT/out" ] || fail "stdout is not empty"
    check_err_has "sbxsh: $1: cannot set up the sandbox: $2"
    check_err_has '  = help: '
    [ "$(grep -c '^sbxsh: ' "$ROOT/err")" = 1 ] || fail "not one message"
    run "$ATTACK/without" "$3" -- "$SBXCTL" doctor
    check_status 1
    grep -q "^  MISSING  $4" "$ROOT/out" || fail "doctor does not say that it is missing: $4"
}
lacks 'Landlock' 'Function not implemented' 'landlock_create_ruleset ENOSYS' 'Landlock'
lacks 'seccomp notifications' 'Function not implemented' 'seccomp ENOSYS' 'seccomp notifications'
lacks 'seccomp notifications' 'Invalid argument' 'seccomp 1&NEW_LISTENER EINVAL' 'seccomp notifications'
lacks 'seccomp notifications' 'Device or resource busy' listener 'seccomp notifications'
check_out_has 'another sandbox around us'
lacks 'seccomp notifications' 'Operation not permitted' 'ioctl 1=RECV EPERM' 'seccomp: receiving and answering calls'
lacks 'seccomp notifications' 'Inappropriate ioctl' 'ioctl 1=SEND ENOTTY' 'seccomp: receiving and answering calls'
lacks 'seccomp notifications' 'Invalid argument' 'ioctl 1=ADDFD EINVAL' 'seccomp: receiving and answering calls'
lacks 'pidfd_open' 'Function not implemented' 'pidfd_open ENOSYS' 'pidfd_getfd'
lacks 'pidfd_getfd' 'Operation not permitted' 'pidfd_getfd EPERM' 'pidfd_getfd'
lacks 'process_vm_readv' 'Operation not permitted' 'process_vm_readv EPERM' 'process_vm_readv'
lacks 'openat2' 'Operation not permitted' 'openat2 EPERM' 'openat2'

# What a probe cannot see without trying.
for lack in 'landlock_add_rule EPERM' 'landlock_restrict_self EPERM'; do
    rm -f ran
    run "$ATTACK/without" "$lack" -- "$SBXSH" -c 'echo ran >ran'
    check_status 125
    check_absent ran
    check_err_has 'sbxsh: Landlock: cannot set up the sandbox: Operation not permitted'
done
