. "$SUPPORT/case.sh"
# Here-documents, short and longer than a pipe holds, arrive whole in bash, dash and zsh.
need dash zsh
long=$(seq 1 20000)
for shell in bash dash zsh; do
    run "$AS/$shell" -c "$(printf 'cat > f <<E\n%s\nE\n' "$long")"
    check_status 0
    check_quiet
    [ "$(cat f)" = "$long" ] || fail "$shell truncated a here-document"
    works "$shell -c 'cat <<E
one \$((1+1)) \$HOME
E'"
    check_out "one 2 $HOME"
done
works 'cat <<<"here string"; read -r a b <<<"x y"; echo "$b"'
check_out "$(printf 'here string\ny')"
works 'echo x > n; git add n; git commit -q -m "$(cat <<'\''E'\''
subject

body "quoted" $HOME `x`
E
)"'
[ "$(git log -1 --format=%B)" = "$(printf 'subject\n\nbody "quoted" $HOME `x`')" ] || fail "the commit message is $(git log -1 --format=%B)"
