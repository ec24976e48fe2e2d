. "$SUPPORT/case.sh"
# A write outside is refused and named; one inside works.
check_refused fs.write.outside-workspace "$HOME/outside" 'echo x > $HOME/outside'
rm "$HOME/outside"
sbx 'echo x > $HOME/outside'
check_status 1
check_report fs.write.outside-workspace "blocked: create $HOME/outside"
works 'echo x > inside; mkdir -p d/e; echo y > d/e/f; echo z > $TMPDIR/t; echo n > /tmp/$$; rm /tmp/$$'
check_content inside x
check_content d/e/f y
check_content "$TMPDIR/t" z
