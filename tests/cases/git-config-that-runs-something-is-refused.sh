. "$SUPPORT/case.sh"
# A key that makes git run something is refused and named, however the config is written; harmless keys beside it pass.
n=0
while read -r key value; do
    n=$((n + 1))
    before=$(cat .git/config)
    sbx "git config $key '$value'"
    [ "$(cat .git/config)" = "$before" ] || fail "written: $key"
    [ "$status" -ne 0 ] || fail "git said that it wrote $key"
    check_report 'git.*' "$key" .git/config
    bare "git config $key '$value'"
    check_status 0
    git config --unset-all "$key"
    works "git config user.email e$n@example.org"
    [ "$(git config user.email)" = "e$n@example.org" ] || fail "user.email was not written"
done <<'E'
core.fsmonitor touch /tmp/pwn
core.hookspath /tmp/hooks
core.sshcommand sh -c x
core.pager sh -c x
core.editor sh -c x
core.gitproxy sh -c x
core.askpass /tmp/x
core.worktree /tmp
alias.x !sh
include.path /tmp/evil
includeif.gitdir:/.path /tmp/evil
filter.x.clean sh -c x
filter.x.smudge sh -c x
filter.x.process sh -c x
diff.x.command sh -c x
diff.x.textconv sh -c x
diff.external sh -c x
merge.x.driver sh -c x
mergetool.x.cmd sh -c x
difftool.x.cmd sh -c x
credential.helper !sh
sequence.editor sh -c x
gpg.program /tmp/x
pager.log sh -c x
uploadpack.packobjectshook sh -c x
remote.origin.uploadpack sh -c x
remote.origin.vcs x
submodule.x.update !sh
trailer.x.command sh -c x
interactive.difffilter sh -c x
browser.x.cmd sh -c x
web.browser x
man.x.cmd sh -c x
protocol.allow always
core.attributesfile /tmp/a
E
