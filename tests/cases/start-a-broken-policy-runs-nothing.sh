. "$SUPPORT/case.sh"
# Each kind of mistake in a policy: one message with file, line, column and a remedy, status 125, nothing ran.
policy=$HOME/.config/sbxsh/policy.toml
mistake() { # PLACE TEXT…; the policy comes from stdin
    local place=$1
    shift
    user_policy
    rm -f ran
    sbx 'echo > ran; echo ran'
    check_status 125
    check_absent ran
    check_out ''
    check_err_has "sbxsh: $policy$place"
    check_err_has '  = help: '
    local text
    for text; do check_err_has "$text"; done
    [ "$(grep -c '^sbxsh: ' "$ROOT/err")" = 1 ] || fail "more than one message"
}
mistake :2:1 acess <<'E'
[[rule]]
acess = "write"
deny = "{workspace}/x"
E
mistake :3: <<'E'
[[rule]]
access = "write"
deny = 5
E
mistake :2:10 wriet write <<'E'
[[rule]]
access = "wriet"
deny = "{workspace}/x"
E
mistake :1:1 rules <<'E'
rules = []
E
mistake :3: <<'E'
[[rule]]
access = "read"
deny = "{workspace}/[a"
E
mistake :3: nosuch <<'E'
[[rule]]
access = "read"
deny = "{nosuch}/a"
E
mistake :4:9 data/y <<'E'
[[rule]]
access = "read"
deny = "{workspace}/data/*.key"
match = "{workspace}/data/y"
E
mistake :4:13 data/y.key <<'E'
[[rule]]
access = "read"
deny = "{workspace}/data/*.key"
not-match = "{workspace}/data/y.key"
E
mistake :4: <<'E'
[[rule]]
access = "read"
deny = "{workspace}/a"
deny = "{workspace}/b"
E
mistake :2: <<'E'
[[rule]]
access = "read
E
mistake :1:1 <<'E'
[[rule]]
id = "no-effect"
access = "read"
E
mistake :4: locked <<'E'
[[rule]]
access = "read"
deny = "{workspace}/a"
locked = true
E
user_policy <<<'# nothing'
works 'echo fine'
check_out fine
rm "$policy"
mkdir "$policy"
sbx 'echo ran'
check_status 125
check_out ''
check_err_has "$policy"
rmdir "$policy"
ln -s "$HOME/notes.txt/x" "$policy"
sbx 'echo ran'
check_status 125
check_out ''
check_err_has "$policy"
rm "$policy"
if [ "$(id -u)" != 0 ]; then
    user_policy <<<'# nothing'
    chmod 000 "$policy"
    sbx 'echo ran'
    check_status 125
    check_out ''
    check_err_has "$policy"
fi
