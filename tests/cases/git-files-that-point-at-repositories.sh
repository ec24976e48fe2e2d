. "$SUPPORT/case.sh"
# A .git file that points at a prepared directory is refused; a bare clone made by git works.
sbx 'mkdir sub; echo "gitdir: ../parts" > sub/.git'
check_absent sub/.git
check_report 'git.*' sub/.git
works 'git clone -q --bare . b.git && git -C b.git log --format=%s'
check_out first
sbx "git -C b.git config core.fsmonitor 'touch /tmp/pwn'"
[ "$(git -C b.git config core.fsmonitor)" = "" ] || fail "written in the bare repository"
check_report 'git.*' b.git/config core.fsmonitor
sbx 'echo x > b.git/hooks/post-update'
check_absent b.git/hooks/post-update
check_report git.hooks b.git/hooks/post-update
sbx 'echo /tmp > .git/commondir'
check_absent .git/commondir
sbx 'echo "* filter=x" > .git/info/attributes'
check_absent .git/info/attributes
check_report 'git.*' .git/info/attributes
works 'echo "*.bin binary" > .gitattributes; echo "*.o" > .gitignore; echo ignored > .git/info/exclude'
