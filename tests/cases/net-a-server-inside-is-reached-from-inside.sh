. "$SUPPORT/case.sh"
# A server started inside is reached from the same shell and from a later one in the same workspace, not from another.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
need curl
sbx "python3 -m http.server $port --bind 127.0.0.1 >/dev/null 2>&1 & for i in \$(seq 100); do curl -s localhost:$port/a.txt && break; sleep 0.1; done"
check_out alpha
works "curl -s 127.0.0.1:$port/a.txt"
check_out alpha
cd src && works "curl -s localhost:$port/a.txt" && cd ..
check_out alpha
[ "$(curl -s "127.0.0.1:$port/a.txt")" = alpha ] || fail "not reached from outside"
git init -q "$ROOT/w2"
cd "$ROOT/w2" || exit 1
sbx "curl -s 127.0.0.1:$port/a.txt"
check_out_lacks alpha
check_report 'net.*' "127.0.0.1:$port"
