. "$SUPPORT/case.sh"
# Copying, linking, moving, archiving, mapping, executing, and every path that leads to the same object.
ln -s ~/.ssh keys
ln -s ~/.ssh/id_rsa key
# A rule without wildcards holds for the object, under whatever other name it had before.
ln ~/.netrc "$OUTSIDE/hard"
chmod 600 "$HOME/.ssh/id_rsa"
for command in 'cat keys/id_rsa' 'cat key' 'cat ~/../home/.ssh/id_rsa' 'cat ~/.ssh/../.ssh/./id_rsa' 'cat /proc/self/root$HOME/.ssh/id_rsa' \
    'cd ~/.ssh; cat id_rsa' 'cat /proc/self/cwd/key' 'cp ~/.ssh/id_rsa x; cat x' 'ln ~/.ssh/id_rsa x; cat x' \
    'ln -s ~/.ssh/id_rsa y; cat y' 'mv ~/.ssh/id_rsa x; cat x' 'tar cf - -C ~ .ssh | tar xOf -' 'base64 ~/.ssh/id_rsa | base64 -d' \
    'dd if=$HOME/.ssh/id_rsa status=none' '. ~/.ssh/id_rsa' 'exec 5<~/.ssh/id_rsa; cat <&5' 'grep -r SECRET ~/.ssh' 'head -c 99 < ~/.ssh/id_rsa' \
    "cat $OUTSIDE/hard" "python3 -c 'print(open(\"$OUTSIDE/hard\").read())'" 'mapfile a < ~/.ssh/id_rsa; echo "${a[@]}"' 'git hash-object -w ~/.ssh/id_rsa | xargs git cat-file -p' \
    'git diff --no-index /dev/null ~/.ssh/id_rsa' 'sort -m ~/.ssh/id_rsa' '/lib64/ld-linux-x86-64.so.2 /bin/cat ~/.ssh/id_rsa' \
    'mv ~/.ssh ssh; cat ssh/id_rsa' 'mv ~ h; cat h/.ssh/id_rsa'; do
    sbx "$command"
    check_out_lacks SECRET-
    check_err_lacks SECRET-
    [ "$(cat "$HOME/.ssh/id_rsa")" = SECRET-SSH-KEY ] || fail "the key is gone: $command"
    rm -rf x y
done
sbx "$ATTACK/read_mapped" "$HOME/.ssh/id_rsa"
run "$SBXSH" -c '"$@"' - "$ATTACK/read_mapped" "$HOME/.ssh/id_rsa"
check_out_lacks SECRET
run "$SBXSH" -c '"$@"' - "$ATTACK/read_mapped" "$W/a.txt"
check_out alpha
run "$ATTACK/read_mapped" "$HOME/.ssh/id_rsa"
check_out_has SECRET-SSH
