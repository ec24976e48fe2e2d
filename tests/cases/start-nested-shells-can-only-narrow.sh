. "$SUPPORT/case.sh"
# The sandbox inside the sandbox neither widens it nor breaks.
chmod 600 "$HOME/.ssh/id_rsa"
sbx "\"$SBXSH\" -c 'cat ~/.ssh/id_rsa'"
check_out_lacks SECRET
[ "$status" -ne 0 ] || fail "reading the key succeeded"
check_report secret.ssh "$HOME/.ssh/id_rsa"
works "\"$SBXSH\" -c 'cat a.txt; echo x > inner'"
check_out alpha
check_content inner x
works "\"$SBXSH\" -c \"\\\"$SBXSH\\\" -c 'cat a.txt'\""
check_out alpha
