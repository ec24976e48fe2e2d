. "$SUPPORT/case.sh"
# `git worktree add` inside the workspace works, and the worktree is protected like the repository.
works 'git worktree add -q wt && cd wt && touch a && git add a && git commit -q -m x && git worktree list | wc -l'
check_out 2
check_refused 'git.*' "$W/.git/worktrees/wt/config.worktree" 'cd wt && git config extensions.worktreeConfig true; git config --worktree core.pager "sh -c x"'
git init -q --bare "$TMPDIR/evil"
git -C "$TMPDIR/evil" config core.fsmonitor 'touch /tmp/pwn'
check_refused 'git.*' "$W/wt/.git" 'echo "gitdir: $TMPDIR/evil" > wt/.git'
