. "$SUPPORT/case.sh"
# What the caller hands over is the command's to use, as its standard output would be; it opens no door to more.
exec 7>>"$OUTSIDE/log"
works 'echo through >&7'
check_content "$OUTSIDE/log" through
sbx 'chmod 777 /proc/self/fd/7; echo more >> /proc/self/fd/7/../victim'
[ "$(stat -c %a "$OUTSIDE/log")" = 644 ] || fail "the mode was changed"
exec 8<"$OUTSIDE"
sbx 'echo x > /proc/self/fd/8/new'
check_absent "$OUTSIDE/new"
check_report fs.write.outside-workspace "$OUTSIDE/new"
sbx 'cd /proc/self/fd/8 && echo x > new2'
check_absent "$OUTSIDE/new2"
exec 9<"$HOME/.ssh"
sbx 'cat /proc/self/fd/9/id_rsa; cd /proc/self/fd/9; cat ./id_rsa'
check_out_lacks SECRET
