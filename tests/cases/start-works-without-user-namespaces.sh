. "$SUPPORT/case.sh"
# The same where the kernel gives no user namespace (in one that allows no further one, if this one allows one).
works 'echo x > inside'
sbx 'unshare -U true'
[ "$status" -ne 0 ] || fail "a user namespace was made inside the sandbox"
none='echo 0 > /proc/sys/user/max_user_namespaces; ! unshare -U true 2>/dev/null || exit 99; exec "$@"'
if unshare -Ur true 2>/dev/null; then
    run unshare -Ur bash -c "$none" - "$SBXSH" -c 'echo x > $HOME/outside; echo y > inside2'
    check_status 0
    check_absent "$HOME/outside"
    check_content inside2 y
    check_report fs.write.outside-workspace "$HOME/outside"
fi
