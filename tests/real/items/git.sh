# git from init to gc: every tree, log and state that results is the same.
# part: ci
export GIT_AUTHOR_DATE='2026-01-01T00:00:00 +0000' GIT_COMMITTER_DATE='2026-01-01T00:00:00 +0000'
exec 2>git.log
git init -q -b main one
cd one
git config user.name Real
git config user.email real@example.org
for n in $(seq 200); do mkdir -p "d$((n % 9))"; printf 'file %s\n' "$n" >"d$((n % 9))/f$n"; done
git add -A && git commit -q -m first
git tag -a v1 -m 'version 1'
cd ..
git clone -q one two && git clone -q --bare one three.git && git clone -q --depth 1 "file://$PWD/one" shallow
cd two
git config user.name Real && git config user.email real@example.org
git switch -q -c side && echo side >side.txt && git add side.txt && git commit -q -m side
git switch -q main && echo main >>d1/f1 && git commit -qam main
git merge -q --no-edit side
git switch -q -c conflicting HEAD~1 && echo other >>d1/f1 && git commit -qam other
git merge -q main || { git status --porcelain; git checkout -q --theirs d1/f1; git add d1/f1; git commit -q --no-edit; }
git switch -q -c topic v1 && for n in 1 2 3; do echo "$n" >>topic.txt; git add topic.txt; git commit -q -m "topic $n"; done
git rebase -q main
GIT_SEQUENCE_EDITOR="sed -i '2s/pick/squash/'" GIT_EDITOR=true git rebase -q -i HEAD~2
echo kept >>topic.txt && echo new >untracked.txt && git stash -q -u && git status --porcelain && git stash pop -q && git status --porcelain
git add -A && git commit -q -m popped
git cherry-pick side >/dev/null || git cherry-pick --skip >/dev/null
git worktree add -q ../beside -b beside
(cd ../beside && echo w >w.txt && git add w.txt && git commit -q -m beside && git log --oneline -n 2)
git worktree list --porcelain | grep -c '^worktree'
git worktree remove ../beside
git -c protocol.file.allow=always submodule add -q "$PWD/../three.git" module && git commit -q -m submodule
(cd module && git config user.name Real && git config user.email real@example.org && echo m >m.txt && git add m.txt && git commit -q -m inside)
git commit -qam moved && git submodule status | cut -c1-41
git remote add bare ../three.git && git push -q bare topic:topic main:from-two && git fetch -q --all --tags
git bisect start HEAD v1 >/dev/null && git bisect run sh -c 'test ! -e topic.txt' >/dev/null && git bisect log | tail -n 1
git bisect reset
git mv d2 renamed && git commit -q -m renamed && git rm -q -r d3 && git reset -q --hard && git clean -qfdx -n
git notes add -m note && git blame d1/f1 | cut -c1-8 | sort -u | wc -l
git format-patch -q -2 -o ../patches && git archive --prefix=x/ HEAD | tar -t | wc -l
git reflog expire --expire=now --all && git gc -q --prune=now && git fsck --strict && git count-objects | cut -d' ' -f1
for each in . module ../one ../three.git ../shallow; do git -C "$each" for-each-ref --format='%(objectname) %(refname)'; done
git ls-tree -r HEAD | sha256sum
git log --all --oneline --graph -n 60
cat .git/config
