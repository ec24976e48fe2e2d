. "$SUPPORT/case.sh"
# Started in / or in the home directory, neither becomes writable; it says so where that matters.
cd / || exit 1
sbx 'echo x > /sbxsh-case; ls / >/dev/null; echo on'
check_absent /sbxsh-case
check_out on
cd "$HOME" || exit 1
sbx 'echo x > file; echo on'
check_absent "$HOME/file"
check_out on
check_report fs.write.outside-workspace "$HOME/file"
git init -q "$HOME"
sbx 'echo x > file'
check_absent "$HOME/file"
mkdir -p "$HOME/project"
cd "$HOME/project" || exit 1
sbx 'echo x > file'
check_absent "$HOME/file2"
