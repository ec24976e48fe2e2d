. "$SUPPORT/case.sh"
# Each distinct refusal is said once; very many are cut off, and counted.
sbx 'for i in $(seq 200); do touch ~/outside 2>/dev/null; done'
[ "$(grep -c 'sbxsh: blocked: ' "$ROOT/err")" = 1 ] || fail "said more than once"
sbx 'for i in $(seq 3000); do echo > ~/o$i; done 2>/dev/null'
[ "$(wc -l <"$ROOT/err")" -lt 60 ] || fail "the report has $(wc -l <"$ROOT/err") lines"
check_report fs.write.outside-workspace
grep -Eq 'more' "$ROOT/err" || fail "what was left out is not counted"
sbx "touch ~/one; touch ~/two"
check_report fs.write.outside-workspace "$HOME/one" "$HOME/two"
