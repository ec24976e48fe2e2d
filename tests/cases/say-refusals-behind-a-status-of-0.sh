. "$SUPPORT/case.sh"
# A refusal that failed a part of the line is said although the line's status is 0.
sbx 'touch ~/outside 2>&1 | tail -1'
check_status 0
check_report fs.write.outside-workspace "$HOME/outside"
printf 'install: ; touch $(HOME)/outside\n' >Makefile
sbx 'make install || true'
check_status 0
check_report fs.write.outside-workspace "$HOME/outside"
sbx 'echo x > ~/outside || true'
check_status 0
check_report fs.write.outside-workspace "$HOME/outside"
sbx 'echo x > ~/outside; echo done'
check_out done
check_report fs.write.outside-workspace "$HOME/outside"
sbx 'bash -c "sh -c \"touch ~/outside\"; exit 0"; exit 0'
check_report fs.write.outside-workspace "$HOME/outside"
sbx 'curl -s -m 5 http://192.0.2.1/ | tail -1'
check_status 0
check_report net.connect.default 192.0.2.1:80
sbx 'curl -s -m 5 http://example.com | tail -1'
check_status 0
check_report 'net.*'
sbx 'cat ~/.ssh/id_rsa 2>/dev/null | wc -c'
check_out 0
check_report 'secret.ssh' "$HOME/.ssh/id_rsa"
check_absent "$HOME/outside"
