. "$SUPPORT/case.sh"
# extensions.worktreeConfig=true, then status: works and leaves no lock file.
git config extensions.worktreeConfig true
works 'git status --porcelain && git config --worktree user.name w && git config user.name'
check_out w
[ -z "$(find .git -name '*.lock')" ] || fail "a lock file was left"
works 'git sparse-checkout set src 2>&1 && git sparse-checkout disable'
