. "$SUPPORT/case.sh"
# A reader of the shell's output sees its end when the last process inside that holds it is gone, not when the broker is.
start=$SECONDS
seen=$("$SBXSH" -c 'sleep 40 >/dev/null 2>&1 & echo hi' | cat)
[ "$seen" = hi ] || fail "read: $seen"
[ $((SECONDS - start)) -lt 20 ] || fail "the pipe was held open"
seen=$("$SBXSH" -c '{ sleep 1; echo late; } & echo hi' | cat)
[ "$seen" = "$(printf 'hi\nlate')" ] || fail "a background writer was cut off: $seen"
