. "$SUPPORT/case.sh"
# A full or read-only disk below the state directory never stops a command: it is said once.
state=$HOME/.local/state/sbxsh
mkdir -p "$state"
works true
own=()
[ "$(id -u)" = 0 ] || own=(-U -r)
unshare "${own[@]}" -m true 2>/dev/null || missing user-namespaces
for options in size=4k ro; do
    run unshare "${own[@]}" -m bash -c 'mount -t tmpfs -o "$1" none "$2" && { { cat /dev/zero >"$2/fill"; } 2>/dev/null; exec "$SBXSH" -c "echo runs; touch ~/outside; exit 3"; }' - "$options" "$state"
    check_out runs
    check_status 3
    check_report fs.write.outside-workspace "$HOME/outside"
    [ "$(grep -cF "$state" "$ROOT/err")" = 1 ] || fail "with $options: not said exactly once"
done
