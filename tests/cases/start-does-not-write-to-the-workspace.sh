. "$SUPPORT/case.sh"
# Nothing is ever created by a start: neither in the workspace nor beside it.
before=$(find "$W" "$OUTSIDE" "$TMPDIR" -printf '%p %T@ %i\n' | sort)
python3 "$SUPPORT/watch_directory.py" "$W" "$ROOT/seen" &
watcher=$!
wait_for test -e "$ROOT/seen"
works true
works 'cat a.txt'
kill "$watcher"
wait "$watcher" 2>/dev/null
[ "$(find "$W" "$OUTSIDE" "$TMPDIR" -printf '%p %T@ %i\n' | sort)" = "$before" ] || fail "a file was created or changed"
[ ! -s "$ROOT/seen" ] || fail "seen in the workspace: $(cat "$ROOT/seen")"
[ -z "$(git status --porcelain)" ] || fail "git sees changes"
