. "$SUPPORT/case.sh"
# A server inside is there for this machine alone. One that asks for an address of the network is refused.
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
# Asked for every address, or for none, it is reached by loopback and by no other interface.
sbx 'python3 -c "
import select, socket
servers = [socket.socket(), socket.socket(socket.AF_INET6), socket.socket()]
servers[0].bind((\"0.0.0.0\", 0)); servers[1].bind((\"::\", 0))
for s in servers: s.listen()
open(\"ports\", \"w\").write(\"\".join(\"%s %d\n\" % s.getsockname()[:2] for s in servers))
while ready := select.select(servers, [], [], 10)[0]:
    for s in ready: s.accept()
" >/dev/null 2>&1 &'
for _ in $(seq 100); do [ -s ports ] && break; sleep 0.1; done
[ "$(cut -d ' ' -f 1 ports | tr '\n' ' ')" = '0.0.0.0 :: 0.0.0.0 ' ] || fail "other names: $(cat ports)"
connects() { python3 -c 'import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 2)' "$1" "$2" 2>"$ROOT/why"; }
while read -r name port; do
    connects 127.0.0.1 "$port" || fail "$name is not reached by loopback: $(cat "$ROOT/why")"
    [ -z "$address" ] || ! connects "$address" "$port" || fail "$name is reached by $address"
done <ports
[ -z "$address" ] || python3 -c 'import socket, sys
s = socket.create_server(("0.0.0.0", 0)); socket.create_connection((sys.argv[1], s.getsockname()[1]), 2)' "$address" || fail "control: not reached by $address"
works 'python3 -c "
import socket, sys
s = socket.socket(); s.bind((\"0.0.0.0\", 0)); s.listen()
for a in sys.argv[1:]: socket.create_connection((a, s.getsockname()[1])); print(\"inside\")" 127.0.0.1 "$@"' - ${address:+"$address"}
[ "$(sort -u "$ROOT/out")" = inside ] || fail "not reached from inside"
for target in ${address:+"$address"}; do
    sbx "python3 -c 'import socket, sys; s = socket.socket(socket.AF_INET6 if \":\" in sys.argv[1] else socket.AF_INET); s.bind((sys.argv[1], 0)); s.listen(); print(\"bound\")' $target"
    check_out_lacks bound
    check_report 'net.*'
done
