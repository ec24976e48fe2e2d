. "$SUPPORT/case.sh"
# A state directory that cannot be used never stops a command: it is said once.
mkdir -p "$HOME/.local"
echo file >"$HOME/.local/state"
sbx 'echo runs; exit 3'
check_status 3
check_out runs
[ "$(grep -c '^sbxsh: ' "$ROOT/err")" = 1 ] || fail "not said exactly once"
check_err_has "$HOME/.local/state"
sbx 'touch ~/outside'
check_report fs.write.outside-workspace "$HOME/outside"
