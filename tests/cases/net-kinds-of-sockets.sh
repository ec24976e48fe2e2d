. "$SUPPORT/case.sh"
# Only internet streams and datagrams, unix sockets and harmless netlink can be made at all.
while read -r kind domain type protocol; do
    run "$SBXSH" -c 'exec python3 -c "import socket,sys; a=[int(x) for x in sys.argv[1:]]; socket.socket(*a); print(\"made\")" "$@"' - "$domain" "$type" "$protocol"
    check_out_lacks made
    [ "$status" -ne 0 ] || fail "$kind: made"
done <<'E'
packet 17 3 768
packet-dgram 17 2 8
raw-icmp 2 3 1
raw-raw 2 3 255
raw6 10 3 58
vsock 40 1 0
alg 38 5 0
netlink-audit 16 3 9
netlink-netfilter 16 3 12
bluetooth 31 3 1
can 29 3 1
tipc 30 1 0
xdp 44 3 0
key 15 3 2
nfc 39 3 0
rds 21 5 0
E
works 'python3 -c "
import socket
for d, t in ((2, 1), (2, 2), (10, 1), (10, 2), (1, 1), (1, 2), (1, 5)):
    socket.socket(d, t)
socket.socketpair()
socket.if_nameindex()
print(\"made\")"'
check_out made
sbx 'python3 -c "import socket; socket.socket(17, 3, 768)"'
check_report 'kernel.call' 'AF_PACKET'
