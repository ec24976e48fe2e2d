. "$SUPPORT/case.sh"
# Cloning from a repository with hooks and an evil config takes neither.
git clone -q "$W" "$ROOT/source"
git -C "$ROOT/source" config core.fsmonitor 'touch /tmp/pwn'
mkdir -p "$ROOT/source/.git/hooks"
echo x >"$ROOT/source/.git/hooks/pre-commit"
works "git clone -q '$ROOT/source' c2 && git clone -q --local --no-hardlinks '$ROOT/source' c3 && git clone -q --mirror '$ROOT/source' m.git"
check_absent c2/.git/hooks/pre-commit
[ "$(git -C c2 config core.fsmonitor)" = "" ] || fail "the config came along"
