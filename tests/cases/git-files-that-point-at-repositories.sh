. "$SUPPORT/case.sh"
# A .git file that points at a prepared directory is refused; a bare clone made by git works.
evil='[core]\n\tfsmonitor = touch /tmp/pwn\n\tworktree = ../sub\n'
git init -q --bare parts
printf "$evil" >parts/config
mkdir sub
for command in 'echo "gitdir: ../parts" > sub/.git' 'echo "gitdir: $PWD/parts" > g; mv g sub/.git' 'ln -s ../parts sub/.git' 'cp -r parts sub/.git' \
    'printf "gitdir: ../pa" > sub/.git; printf "rts\n" >> sub/.git' 'mv parts sub/.git'; do
    sbx "$command"
    [ "$(git -C sub config core.fsmonitor)" = "" ] || fail "git would run something after: $command"
    check_report 'git.*'
    rm -rf sub/.git g
    bare "$command"
    [ "$(git -C sub config core.fsmonitor)" = 'touch /tmp/pwn' ] || fail "control: $command"
    [ -e parts ] || mv sub/.git parts
    rm -rf sub/.git g
done
# The pointer first, then the directory that it points at.
for place in ../made "$TMPDIR/made"; do
    sbx "cd sub; echo 'gitdir: $place' > .git; mkdir -p $place/objects $place/refs; printf '$evil' > $place/config; echo 'ref: refs/heads/main' > $place/HEAD"
    [ "$(git -C sub config core.fsmonitor)" = "" ] || fail "git would run something: $place"
    check_report 'git.*'
    rm -rf sub/.git made
done
works 'git clone -q --bare . b.git && git -C b.git log --format=%s'
check_out first
sbx "git -C b.git config core.fsmonitor 'touch /tmp/pwn'"
[ "$(git -C b.git config core.fsmonitor)" = "" ] || fail "written in the bare repository"
check_report 'git.*' b.git/config core.fsmonitor
sbx 'echo x > b.git/hooks/post-update'
check_absent b.git/hooks/post-update
check_report git.hooks b.git/hooks/post-update
git init -q --bare other
git -C other config core.fsmonitor 'touch /tmp/pwn'
sbx 'echo ../other > .git/commondir'
[ "$(git config core.fsmonitor)" = "" ] || fail "the repository's config comes from another directory"
rm -f .git/commondir
sbx 'echo "* filter=x" > .git/info/attributes'
check_absent .git/info/attributes
check_report 'git.*' .git/info/attributes
works 'echo "*.bin binary" > .gitattributes; echo "*.o" > .gitignore; echo ignored > .git/info/exclude'
