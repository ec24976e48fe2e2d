. "$SUPPORT/case.sh"
# explain, describe and doctor: the decision with its rule, what holds here, what this machine can enforce.
run "$SBXCTL" explain write "$HOME/outside"
check_out_has fs.write.outside-workspace
check_out_has denied
run "$SBXCTL" explain write "$W/file"
check_out_has allowed
check_out_has fs.write.workspace
run "$SBXCTL" explain read "$HOME/.ssh/id_rsa"
check_out_has secret.ssh
run "$SBXCTL" explain -- 'cat ~/.ssh/id_rsa > ~/copy'
check_out_has secret.ssh
check_out_has fs.write.outside-workspace
run "$SBXCTL" describe
check_status 0
check_out_has "$W"
run "$SBXCTL" describe --json
check_status 0
jq -e . "$ROOT/out" >/dev/null || fail "not JSON"
run "$SBXCTL" doctor
check_status 0
check_out_has Landlock
run "$SBXCTL" nosuch
[ "$status" -ne 0 ] || fail "an unknown command passed"
[ -s "$ROOT/err" ] || fail "nothing said"
