. "$SUPPORT/case.sh"
# What people do with a repository all day.
works 'git init -q new && cd new && git commit -q --allow-empty -m x && git log --format=%s'
check_out x
works 'git clone -q . copy && cat copy/a.txt && git -C copy log --format=%s'
check_out "$(printf 'alpha\nfirst')"
works 'git clone -q --bare . bare.git && git -C bare.git rev-parse --is-bare-repository'
check_out true
works 'git remote add o "$PWD/bare.git" && git push -q o main && git fetch -q o && git branch -r --format="%(refname:short)"'
check_out o/main
works 'git switch -q -c b && echo b > b.txt && git add b.txt && git commit -q -m b && git switch -q main && git merge -q --no-ff -m merged b && git log --format=%s -1'
check_out merged
works 'git config user.name n && git config user.email e@x && git config branch.main.remote o && git config --get user.name && git config --unset user.email'
check_out n
works 'echo c >> a.txt && git stash -q && git stash pop -q && git commit -q -am c && git rebase -q b main && git reset -q --hard HEAD~1 && git tag -a -m t t && git gc -q && git fsck && git branch -m b b2 && git branch -D b2 -q'
check_present .git/packed-refs
works 'git status --porcelain | wc -l; git diff HEAD~1 --stat | tail -1; git grep -c alpha'
[ "$(git config user.name)" = n ] || fail "the name was not set"
[ -z "$(find .git -name '*.lock')" ] || fail "lock files were left: $(find .git -name '*.lock')"
