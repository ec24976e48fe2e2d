. "$SUPPORT/case.sh"
# With a grant for one file only, an editor that writes a temporary file beside it is told what it needs.
mkdir "$HOME/conf"
echo aaa >"$HOME/conf/f"
user_policy <<'E'
[[rule]]
access = "write"
allow = "{home}/conf/f"
E
works 'echo more >> ~/conf/f'
sbx 'sed -i s/a/b/ ~/conf/f'
[ "$status" -ne 0 ] || fail "sed succeeded"
check_content "$HOME/conf/f" "$(printf 'aaa\nmore')"
check_report fs.write.outside-workspace "$HOME/conf/"
[ "$(ls -A "$HOME/conf")" = f ] || fail "something was left behind"
