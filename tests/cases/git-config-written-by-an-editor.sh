. "$SUPPORT/case.sh"
# Written in place, appended, renamed, linked or truncated over: the content decides.
evil='[core]\n\tfsmonitor = touch /tmp/pwn\n'
before=$(cat .git/config)
for command in "printf '$evil' >> .git/config" "printf '$evil' > .git/config" "cp .git/config c; printf '$evil' >> c; mv c .git/config" \
    "cp .git/config .git/config.lock; printf '$evil' >> .git/config.lock; mv .git/config.lock .git/config" \
    "cp .git/config c; printf '$evil' >> c; ln -f c .git/config" "printf '$evil' > c; ln -sf ../c .git/config" \
    "sed -i '1i [core]\\n\\tfsmonitor = touch /tmp/pwn' .git/config" "printf '$evil' | dd of=.git/config conv=notrunc status=none" \
    "python3 -c \"f=open('.git/config','r+b'); f.write(b'[core]\\n\\tfsmonitor=x\\n')\"" "rm .git/config" \
    "printf '[include]\\n\\tpath = ../c\\n' >> .git/config" "exec 5<.git/config; printf '$evil' >/proc/self/fd/5"; do
    sbx "$command"
    [ "$(cat .git/config)" = "$before" ] && [ ! -L .git/config ] || fail "changed: $command"
    [ "$status" -ne 0 ] || fail "passed: $command"
    check_report 'git.*' .git/config
    rm -f c .git/config.lock
done
# The lock file, once written with something harmless, cannot be rewritten after it has become the config.
sbx 'exec 5>.git/config.lock; cat .git/config >&5; mv .git/config.lock .git/config; printf "[core]\n\tfsmonitor = x\n" >&5'
[ "$(git config core.fsmonitor)" = "" ] || fail "written through the descriptor of the lock file"
sbx 'cp .git/config c; ln c d; mv c .git/config; printf "[core]\n\tfsmonitor = x\n" >> d'
[ "$(git config core.fsmonitor)" = "" ] || fail "written through another link"
works 'cp .git/config c && printf "[user]\n\tname = edited\n" >> c && mv c .git/config'
[ "$(git config user.name)" = edited ] || fail "a harmless config did not pass"
# The report says what would pass instead.
sbx 'git init -q one && cp -r one two'
check_report git.config 'git itself may write it'
