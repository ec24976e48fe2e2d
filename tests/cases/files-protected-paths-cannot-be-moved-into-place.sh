. "$SUPPORT/case.sh"
# A directory that carries a protected path cannot be renamed, linked or copied to where the path means something, nor
# an ancestor of a protected path be moved out of the way.
mkdir -p prepared .vscode
echo evil >prepared/settings.json
echo good >.vscode/settings.json
for command in 'rm -rf .vscode' 'mv .vscode old' 'cp prepared/settings.json .vscode/settings.json' \
    'ln -f prepared/settings.json .vscode/settings.json' 'ln -sf ../prepared/settings.json .vscode/settings.json' \
    'python3 -c "import ctypes; exit(ctypes.CDLL(None).renameat2(-100, b\"prepared\", -100, b\".vscode\", 2) != 0)"'; do
    sbx "$command"
    [ "$status" -ne 0 ] || fail "passed: $command"
    check_content .vscode/settings.json good
    check_report '*' .vscode
done
mkdir -p pack/.vscode
echo evil >pack/.vscode/tasks.json
rm -r .vscode
check_refused '*' "$W/.vscode" 'mv prepared .vscode'
mv .vscode prepared
# A directory that carries one may move where the same protection holds, and may not come in from where none does.
works 'mv pack sub2'
mkdir -p "$TMPDIR/pack/.vscode"
echo evil >"$TMPDIR/pack/.vscode/tasks.json"
sbx 'mv $TMPDIR/pack sub3; python3 -c "import os; os.rename(os.environ[\"TMPDIR\"] + \"/pack\", \"sub3\")"'
check_absent sub3/.vscode/tasks.json
check_report '*' sub3
mkdir .vscode
echo good >.vscode/settings.json
works 'mkdir other; echo x > other/f; mv other renamed; ln renamed/f renamed/g'
check_content renamed/g x
sbx 'ln .vscode/settings.json alias.json; echo evil > alias.json'
check_content .vscode/settings.json good
check_report '*' settings.json
rm -f alias.json
ln -s .vscode/settings.json alias.json
sbx 'echo evil > alias.json'
check_content .vscode/settings.json good
check_report '*' settings.json
