. "$SUPPORT/case.sh"
# A server inside binds to loopback. One that asks for every address gets loopback; one that asks for another is refused.
works 'python3 -c "
import socket, threading
s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen()
c = socket.create_connection(s.getsockname()); p, a = s.accept(); c.sendall(b\"hi\"); print(p.recv(9)); p.close()
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind((\"127.0.0.1\", 0)); v = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
v.sendto(b\"dg\", u.getsockname()); d, a = u.recvfrom(9); print(d); u.sendto(b\"back\", a); print(v.recv(9))
v.connect(u.getsockname()); v.send(b\"more\"); print(u.recv(9))
try:
    c.sendall(b\"x\"); socket.create_connection(s.getsockname(), 2)
except OSError as e: print(e)
"'
check_out "$(printf "b'hi'\nb'dg'\nb'back'\nb'more'")"
address=$(hostname -I 2>/dev/null | awk '{print $1}')
works 'python3 -c "
import socket
for a in (\"0.0.0.0\", \"::\"):
    s = socket.socket(socket.AF_INET6 if \":\" in a else socket.AF_INET); s.bind((a, 0)); s.listen(); print(s.getsockname()[0])
s = socket.socket(); s.listen(); print(s.getsockname()[0])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind((\"\", 0)); print(s.getsockname()[0])"'
grep -qvE '^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$' "$ROOT/out" && fail "listens on more than loopback"
[ "$(wc -l <"$ROOT/out")" = 4 ] || fail "not all are bound"
for target in ${address:+"$address"}; do
    sbx "python3 -c 'import socket, sys; s = socket.socket(socket.AF_INET6 if \":\" in sys.argv[1] else socket.AF_INET); s.bind((sys.argv[1], 0)); s.listen(); print(\"bound\")' $target"
    check_out_lacks bound
    check_report 'net.*'
done
