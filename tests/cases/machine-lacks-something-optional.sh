. "$SUPPORT/case.sh"
# Where the kernel, or a container's filter around us, lacks what is only convenient, commands run as ever and everything
# that is refused stays refused.
mkdir -p "$HOME/.ssh"
echo secret >"$HOME/.ssh/id_test"
git init -q .
check() { # LACK…
    run "$ATTACK/without" "$@" -- "$SBXSH" -c '
        echo made >made && mkdir dir && mv made dir/moved && cat dir/moved && rm -r dir && ls / >/dev/null && echo works
        (echo from a child; exit 0) | cat
        cat ~/.ssh/id_test
        echo x >"$OUTSIDE/new"
        echo x >.git/hooks/pre-commit
        kill -0 "$PPID" && echo reached
        exit 3'
    check_status 3
    check_out 'made
works
from a child'
    check_absent "$OUTSIDE/new"
    check_absent .git/hooks/pre-commit
    check_err_has 'sbxsh: blocked: '
}
check 'seccomp 1&WAIT_KILLABLE EINVAL'
check 'ioctl 1=SET_FLAGS EINVAL'
check 'close_range EPERM'
check 'clone3 ENOSYS'
check 'unshare EPERM' 'mount EPERM' 'keyctl EPERM' 'add_key EPERM' 'ptrace EPERM' 'bpf EPERM' 'kcmp EPERM'

# Descriptors of the caller are not held open by ours, though they have to be closed one by one.
started=$SECONDS
run "$ATTACK/without" 'close_range EPERM' -- bash -c '"$SBXSH" -c "sleep 60 >/dev/null 2>&1 </dev/null & echo hi" | cat'
check_out hi
[ $((SECONDS - started)) -lt 30 ] || fail "the pipe was held open"
