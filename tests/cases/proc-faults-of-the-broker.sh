. "$SUPPORT/case.sh"
# Where the kernel fails the broker now and then, a call inside fails with an ordinary errno or is done: nothing hangs, what
# is refused stays refused, nothing is left behind.
need strace
mkdir -p "$HOME/.ssh" tree
echo secret >"$HOME/.ssh/id_test"
git init -q .
cat >"$ROOT/script" <<'E'
for number in 1 2 3 4 5 6 7 8; do
    mkdir d$number && echo text >d$number/file && mv d$number/file d$number/moved && chmod 600 d$number/moved
    ln d$number/moved d$number/link && ln -s moved d$number/symlink && cat d$number/symlink && rm -r d$number
    cat ~/.ssh/id_test
    echo x >>"$OUTSIDE/victim"
    mv "$OUTSIDE/victim" "$OUTSIDE/other"
    ln "$OUTSIDE/victim" stolen$number
    mkdir "$OUTSIDE/dir"
    echo x >.git/hooks/pre-commit
    mv .git/hooks .git/other
    kill -0 "$OUTSIDER" && echo reached
done
exit 3
E
sleep 300 &
export OUTSIDER=$!
before=$(cat "$OUTSIDE/victim")
faults() { # CALL ERRNO WHEN
    run timeout -k 1 60 strace -f --seccomp-bpf -qq -o /dev/null -e "trace=$1" -e "inject=$1:error=$2:when=$3" \
        "$SBXSH" -c "$(cat "$ROOT/script")"
    check_status 3
    check_out_lacks secret
    check_out_lacks reached
    check_content "$OUTSIDE/victim" "$before"
    [ "$(ls -A "$OUTSIDE")" = victim ] || fail "$1 $2: made outside: $(ls -A "$OUTSIDE")"
    check_absent .git/hooks/pre-commit
    check_absent .git/other
    ! ls stolen* >/dev/null 2>&1 || fail "$1 $2: linked"
    rm -rf d?
}
for error in EMFILE EIO; do
    faults openat2 $error 3+3
    faults process_vm_readv $error 4+3
    faults pidfd_getfd $error 3+2
    faults renameat2 $error 2+2
    faults unlinkat $error 2+3
    faults linkat $error 1+2
    faults mkdirat $error 1+3
done
faults ioctl EINTR 12+3
