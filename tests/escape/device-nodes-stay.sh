. "$SUPPORT/case.sh"
# That a device may be written to says nothing of its node: not even root inside may remove, replace or close it.
trap '[ -c /dev/full ] || { rm -f /dev/full; mknod -m 666 /dev/full c 1 7; }' EXIT
works 'echo x >/dev/null; head -c 1 /dev/full >/dev/null; touch /dev/null'
node() { stat -c '%F %t:%T %a %u:%g %i' /dev/full; }
before=$(node)
for command in 'rm -f /dev/full' 'mv /dev/full "$TMPDIR/full"' 'mv a.txt /dev/full' 'mv -T a.txt /dev/full' \
    'ln -sfn /etc/passwd /dev/full' 'chmod 600 /dev/full' 'chown 0:0 /dev/full' 'setfattr -n user.x -v 1 /dev/full' \
    'python3 -c "import os; os.fchmod(os.open(\"/dev/full\", os.O_RDWR), 0o600)"'; do
    sbx "$command"
    [ "$(node)" = "$before" ] || fail "changed by: $command"
    check_present a.txt
done
sbx 'chmod 600 /dev/full'
check_report fs.write.outside-workspace 'change the mode of /dev/full'
