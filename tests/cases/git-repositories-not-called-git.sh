. "$SUPPORT/case.sh"
# A directory that git would take for a repository without being called .git: refused at the step that completes it.
pwn='[core]\n\tfsmonitor = touch /tmp/pwn\n\tbare = false\n\tworktree = ..\n'
for order in 'head objects refs config' 'config refs objects head' 'objects config head refs' 'refs head config objects'; do
    script='mkdir x; '
    for part in $order; do
        case $part in
        head) script+='echo "ref: refs/heads/main" > x/HEAD; ' ;;
        objects) script+='mkdir x/objects; ' ;;
        refs) script+='mkdir x/refs; ' ;;
        config) script+="printf '$pwn' > x/config; " ;;
        esac
    done
    sbx "$script"
    complete=no
    [ -f x/HEAD ] && [ -d x/objects ] && [ -d x/refs ] && [ -f x/config ] && complete=yes
    [ $complete = no ] || fail "complete after: $order"
    check_report 'git.*' "$W/x"
    rm -rf x
    bare "$script"
    [ "$(git --git-dir=x config core.fsmonitor)" = 'touch /tmp/pwn' ] || fail "control: no repository after: $order"
    rm -rf x
done
mkdir -p parts/objects parts/refs
printf '%b' "$pwn" >parts/config
echo 'ref: refs/heads/main' >head
sbx 'mv head parts/HEAD'
check_absent parts/HEAD
sbx 'ln head parts/HEAD'
check_absent parts/HEAD
sbx 'ln -s ../head parts/HEAD'
[ ! -L parts/HEAD ] || fail "linked into place"
sbx 'mv parts/refs r; mv head parts/HEAD; mv r parts/refs'
[ -f parts/HEAD ] && [ -d parts/refs ] && fail "completed by a directory"
