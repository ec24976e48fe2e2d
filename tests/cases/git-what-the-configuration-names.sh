. "$SUPPORT/case.sh"
# What a repository's configuration names, git runs: hooks elsewhere, included settings, programs of filters; and what its
# config and hooks lead to by symbolic links. Such files are protected as those in .git are.
refused() { # COMMAND FILE: the command would change FILE, and does without a sandbox
    local before
    before=$(cat "$2" 2>/dev/null)
    sbx "$1"
    [ "$(cat "$2" 2>/dev/null)" = "$before" ] || fail "changed: $2"
    check_report git.named "$2"
}
repository() {
    rm -rf r && git init -q r && cd r && mkdir -p tools
}
repository
git config core.hooksPath .husky
mkdir .husky
refused 'echo "touch x" >.husky/pre-commit' "$PWD/.husky/pre-commit"
refused 'mv .husky away' "$PWD/.husky"
[ -d .husky ] || fail "moved"
works 'echo x >tools/free; git add -A; git -c user.name=a -c user.email=a@b commit -qm x'
cd ..

repository
mkdir hooks single
rm -rf .git/hooks
ln -s ../hooks .git/hooks
refused 'echo "touch x" >hooks/pre-commit' "$PWD/hooks/pre-commit"
rm .git/hooks
mkdir .git/hooks
touch single/run
ln -s ../../single/run .git/hooks/pre-commit
refused 'echo "touch x" >>single/run' "$PWD/single/run"
cd ..

repository
git config include.path ../settings
git config filter.x.clean 'tools/clean %f'
git config alias.z '!tools/alias'
git config alias.other '!make -C ./tools all other <./tools/other'
touch tools/clean tools/alias tools/other
refused 'printf "[core]\n\tfsmonitor = x\n" >settings' "$PWD/settings"
refused 'echo x >tools/clean' "$PWD/tools/clean"
refused 'echo x >tools/alias' "$PWD/tools/alias"
works 'echo x >tools/other'
mkdir elsewhere
mv .git/config elsewhere/config
ln -s ../elsewhere/config .git/config
refused 'printf "[alias]\n\tq = !id\n" >>elsewhere/config' "$PWD/elsewhere/config"
cd ..

# The user's own configuration can name something here as well.
repository
git config --file "$HOME/.gitconfig" core.hooksPath .githooks
refused 'mkdir .githooks' "$PWD/.githooks"
