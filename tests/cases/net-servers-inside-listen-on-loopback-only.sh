. "$SUPPORT/case.sh"
# A server inside binds to loopback; to any other address it is refused, whichever way the address is written.
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
for target in 0.0.0.0 '::' ${address:+"$address"}; do
    sbx "python3 -c 'import socket, sys; s = socket.socket(socket.AF_INET6 if \":\" in sys.argv[1] else socket.AF_INET); s.bind((sys.argv[1], 0)); s.listen(); print(\"bound\")' $target"
    check_out_lacks bound
    check_report 'net.*'
done
# Listening without bind takes a port on every address.
sbx 'python3 -c "import socket; s = socket.socket(); s.listen(); print(\"listens on\", s.getsockname())"'
check_out_lacks "listens on ('0.0.0.0'"
