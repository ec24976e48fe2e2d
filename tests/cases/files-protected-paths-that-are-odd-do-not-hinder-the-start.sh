. "$SUPPORT/case.sh"
# Protected paths that are symbolic links, dangling, below a missing parent, or root's: no effect on the start.
ln -s "$OUTSIDE" .vscode
ln -s nowhere .idea
ln -s loop2 loop1
ln -s loop1 loop2
ln -s loop1 .cursor
rm -rf "$HOME/.aws"
rm -rf "$HOME/.gnupg"
ln -s /nonexistent/dir "$HOME/.gnupg"
ln -s /root/.kube "$HOME/.kubelink"
before=$(find "$W" "$HOME" -path "$HOME/.local" -prune -o -printf '%p %i\n' | sort)
works 'echo hi'
check_out hi
[ "$(find "$W" "$HOME" -path "$HOME/.local" -prune -o -printf '%p %i\n' | sort)" = "$before" ] || fail "files came or went"
# And through such a link nothing is written.
sbx 'echo x > .vscode/settings.json'
[ "$status" -ne 0 ] || fail "the write passed"
check_absent "$OUTSIDE/settings.json"
