. "$SUPPORT/case.sh"
# What .sbxignore or .cursorignore names can be neither read, changed, moved nor linked; negation and nesting hold.
mkdir -p secret/deep sub/private keep
echo HIDDEN-ONE >secret/deep/a
echo HIDDEN-TWO >sub/private/b
echo HIDDEN-THREE >token.key
echo shown >keep/public.key
echo shown-too >sub/open
printf '/secret/\n*.key\n!public.key\n' >.sbxignore
printf 'private\n' >sub/.cursorignore
for command in 'cat secret/deep/a' 'cat sub/private/b' 'cat token.key' 'grep -rh HIDDEN . 2>/dev/null' 'cat < token.key' 'cp token.key /tmp/k.$$; cat /tmp/k.$$' \
    'mv token.key t; cat t' 'ln token.key t; cat t' 'mv secret s; cat s/deep/a' 'mv sub s; cat s/private/b; rm -f s/.cursorignore; cat s/private/b; mv s/private p; cat p/b' 'ln -s token.key l; cat l' \
    'tar cf - secret | tar xOf -' 'cd secret/deep && cat a' 'mv .sbxignore x; cat token.key' 'echo > .sbxignore; cat token.key' \
    'git add -f token.key; git show :token.key' 'rm sub/.cursorignore; cat sub/private/b'; do
    sbx "$command"
    check_out_lacks HIDDEN
    # A directory may move where its own ignore file goes along.
    [ -f s/private/b ] && [ -f s/.cursorignore ] && mv s sub
    [ -f token.key ] && [ -f secret/deep/a ] && [ -f sub/private/b ] || fail "moved away by: $command"
    rm -rf l t s x
done
sbx 'cat token.key'
check_report '*' token.key .sbxignore
check_refused '*' token.key 'echo x > token.key'
check_refused '*' secret/new 'echo x > secret/new'
works 'cat keep/public.key sub/open a.txt'
check_out "$(printf 'shown\nshown-too\nalpha')"
works 'echo new > sub/open; mv sub/open sub/opened'
check_content sub/opened new
