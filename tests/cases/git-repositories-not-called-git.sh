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
# Completed by moving or linking the last part into place.
mkdir -p parts/objects other
printf '%b' "$pwn" >parts/config
echo 'ref: refs/heads/main' >parts/HEAD
for command in 'mkdir parts/refs' 'mkdir r; mv r parts/refs' 'ln -s ../other parts/refs' 'mkdir -p parts/refs/heads' 'cp -r other parts/refs' \
    'mv parts/objects o; mkdir parts/refs; mv o parts/objects' 'mv parts/config c; mkdir parts/refs; mv c parts/config'; do
    sbx "$command"
    [ -e parts/refs ] && [ -e parts/objects ] && [ -f parts/config ] && fail "completed by: $command"
    check_report 'git.*' "$W/parts"
    [ -e o ] && mv o parts/objects
    [ -e c ] && mv c parts/config
    rm -rf r parts/refs
done
rm -rf parts r head
mkdir -p parts/objects
printf '%b' "$pwn" >parts/config
echo 'ref: refs/heads/main' >parts/HEAD
bind='import os, socket; socket.socket(socket.AF_UNIX).bind("parts/refs"); os.chmod("parts/refs", 0o700)'
sbx "python3 -c '$bind'"
check_absent parts/refs
check_report git.config "$W/parts" core.fsmonitor
bare "python3 -c '$bind'"
[ "$(git --git-dir=parts config core.fsmonitor)" = 'touch /tmp/pwn' ] || fail "control: a socket does not complete it"
