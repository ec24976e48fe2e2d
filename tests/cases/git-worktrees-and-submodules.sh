. "$SUPPORT/case.sh"
# In a worktree, a submodule, and a bare repository's worktree: add and commit work, though the repository lies elsewhere.
git worktree add -q "$ROOT/wt" -b side
cd "$ROOT/wt" || exit 1
works 'touch a && git add a && git commit -q -m x && git log -1 --format=%s'
check_out x
works 'git branch other && git fetch -q . side && git stash list'
check_refused 'git.*' "$W/.git/hooks/pre-commit" "echo x > '$W/.git/hooks/pre-commit'"
rm "$W/.git/hooks/pre-commit"
check_refused 'git.*' "$W/.git/config" 'git config core.fsmonitor "touch /tmp/pwn"'
git config --unset core.fsmonitor
sbx "echo x > '$W/a.txt'"
check_content "$W/a.txt" alpha

git clone -q "$W" "$ROOT/super"
cd "$ROOT/super" || exit 1
git submodule --quiet add "$W" sub
git commit -q -m sub
cd sub || exit 1
works 'touch a && git add a && git commit -q -m y && git log -1 --format=%s'
check_out y
check_refused 'git.*' "$ROOT/super/.git/modules/sub/hooks/pre-commit" 'echo x > "$(git rev-parse --git-dir)/hooks/pre-commit"'
cd "$ROOT/super" || exit 1
works 'git submodule --quiet update --init && git submodule status | wc -l && git -C sub checkout -q --detach'
works "git submodule --quiet add '$W' second && git commit -q -m second && ls second"

git clone -q --bare "$W" "$ROOT/bare.git"
git -C "$ROOT/bare.git" worktree add -q "$ROOT/bwt" -b bside
cd "$ROOT/bwt" || exit 1
works 'touch a && git add a && git commit -q -m z && git log -1 --format=%s'
check_out z
check_refused 'git.*' "$ROOT/bare.git/hooks/post-commit" "echo x > '$ROOT/bare.git/hooks/post-commit'"
