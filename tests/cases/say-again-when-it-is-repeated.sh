. "$SUPPORT/case.sh"
# The same command refused for the same rule again: it is told that repeating does not help.
sbx 'touch ~/outside'
check_err_lacks 'second time'
sbx 'touch ~/outside'
check_report fs.write.outside-workspace
check_err_has 'second time with unchanged permissions'
sbx 'touch ~/elsewhere'
check_err_lacks 'second time'
# Several processes of one command that are refused the same are one time.
sbx "ls $HOME/.ssh; ls $HOME/.ssh; ls $HOME/.ssh"
check_err_lacks 'time with unchanged permissions'
sbx "ls $HOME/.ssh; ls $HOME/.ssh; ls $HOME/.ssh"
check_err_has 'second time with unchanged permissions'
