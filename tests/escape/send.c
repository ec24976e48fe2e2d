// Sends one message, or makes one connection, to 127.0.0.1:PORT (or ::1) in the way that MODE names.
// Status 0: the kernel took it. 1: refused. 2: usage.
// build send: 
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sockaddr_in v4 = {.sin_family = AF_INET};
static struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
static struct sockaddr_in6 mapped = {.sin6_family = AF_INET6};

static int failed(const char* what) {
    perror(what);
    return 1;
}

static int stream(int domain, int protocol, const void* address, socklen_t size, int nonblocking) {
    int s = socket(domain, SOCK_STREAM | (nonblocking ? SOCK_NONBLOCK : 0), protocol);
    if (s < 0) return failed("socket");
    if (connect(s, address, size) != 0) {
        if (errno != EINPROGRESS) return failed("connect");
        struct pollfd p = {.fd = s, .events = POLLOUT};
        poll(&p, 1, 1000);
        int error = 0;
        socklen_t length = sizeof error;
        getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &length);
        if (error) return failed("connect, later");
    }
    return write(s, "x", 1) == 1 ? 0 : failed("write");
}

static int datagram(const char* how, int domain, int protocol, const void* address, socklen_t size) {
    int s = socket(domain, SOCK_DGRAM, protocol);
    if (s < 0) return failed("socket");
    struct iovec data = {.iov_base = "x", .iov_len = 1};
    struct mmsghdr message[2] = {0};
    for (int i = 0; i < 2; i++) {
        message[i].msg_hdr.msg_name = (void*)address;
        message[i].msg_hdr.msg_namelen = size;
        message[i].msg_hdr.msg_iov = &data;
        message[i].msg_hdr.msg_iovlen = 1;
    }
    if (!strcmp(how, "sendmsg")) return sendmsg(s, &message[0].msg_hdr, 0) == 1 ? 0 : failed("sendmsg");
    if (!strcmp(how, "sendmmsg")) return sendmmsg(s, message, 2, 0) > 0 ? 0 : failed("sendmmsg");
    if (!strcmp(how, "connect")) {
        if (connect(s, address, size)) return failed("connect");
        return send(s, "x", 1, 0) == 1 ? 0 : failed("send");
    }
    return sendto(s, "x", 1, 0, address, size) == 1 ? 0 : failed("sendto");
}

static int fast_open(const char* how) {
    int s = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct iovec data = {.iov_base = "x", .iov_len = 1};
    struct msghdr message = {.msg_name = &v4, .msg_namelen = sizeof v4, .msg_iov = &data, .msg_iovlen = 1};
    if (!strcmp(how, "fastopen")) return sendto(s, "x", 1, MSG_FASTOPEN, (void*)&v4, sizeof v4) == 1 ? 0 : failed("sendto");
    if (!strcmp(how, "fastopen-sendmsg")) return sendmsg(s, &message, MSG_FASTOPEN) == 1 ? 0 : failed("sendmsg");
    setsockopt(s, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &one, sizeof one);
    if (connect(s, (void*)&v4, sizeof v4)) return failed("connect");
    return write(s, "x", 1) == 1 ? 0 : failed("write");
}

static int by_io_uring(void) {
    struct io_uring_params params = {0};
    int ring = (int)syscall(SYS_io_uring_setup, 2, &params);
    if (ring < 0) return failed("io_uring_setup");
    char* sq = mmap(0, params.sq_off.array + params.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    char* cq = mmap(0, params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
                    IORING_OFF_CQ_RING);
    struct io_uring_sqe* entry =
        mmap(0, params.sq_entries * sizeof *entry, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    if (sq == MAP_FAILED || cq == MAP_FAILED || entry == MAP_FAILED) return failed("mmap");
    memset(entry, 0, sizeof *entry);
    entry->opcode = IORING_OP_CONNECT;
    entry->fd = socket(AF_INET, SOCK_STREAM, 0);
    entry->addr = (unsigned long)&v4;
    entry->off = sizeof v4;
    *(unsigned*)(sq + params.sq_off.array) = 0;
    __atomic_store_n((unsigned*)(sq + params.sq_off.tail), 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0) < 0) return failed("io_uring_enter");
    struct io_uring_cqe* answer = (struct io_uring_cqe*)(cq + params.cq_off.cqes);
    errno = -answer->res;
    return answer->res < 0 ? failed("connect by io_uring") : 0;
}

static int raw_udp(int port) {
    int s = socket(AF_INET, SOCK_RAW, IPPROTO_UDP);
    if (s < 0) return failed("socket");
    struct udphdr packet = {.source = htons(9), .dest = htons(port), .len = htons(sizeof packet)};
    return sendto(s, &packet, sizeof packet, 0, (void*)&v4, sizeof v4) > 0 ? 0 : failed("sendto");
}

static int packet(int port) {
    int s = socket(AF_PACKET, SOCK_DGRAM, htons(0x0800));
    if (s < 0) return failed("socket");
    struct {
        struct iphdr ip;
        struct udphdr udp;
    } frame = {.ip = {.version = 4, .ihl = 5, .ttl = 9, .protocol = IPPROTO_UDP, .saddr = htonl(0x7f000001), .daddr = htonl(0x7f000001),
                      .tot_len = htons(sizeof frame)},
               .udp = {.source = htons(9), .dest = htons(port), .len = htons(sizeof(struct udphdr))}};
    unsigned sum = 0;
    for (int i = 0; i < 10; i++) sum += ((unsigned short*)&frame.ip)[i];
    frame.ip.check = (unsigned short)~((sum & 0xffff) + (sum >> 16));
    struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_protocol = htons(0x0800), .sll_ifindex = 1, .sll_halen = 6};
    return sendto(s, &frame, sizeof frame, 0, (void*)&to, sizeof to) > 0 ? 0 : failed("sendto");
}

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const char* mode = argv[1];
    int port = atoi(argv[2]);
    v4.sin_port = v6.sin6_port = mapped.sin6_port = htons(port);
    inet_pton(AF_INET, "127.0.0.1", &v4.sin_addr);
    inet_pton(AF_INET6, "::1", &v6.sin6_addr);
    inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped.sin6_addr);
    if (!strcmp(mode, "tcp")) return stream(AF_INET, 0, &v4, sizeof v4, 0);
    if (!strcmp(mode, "tcp-nonblocking")) return stream(AF_INET, 0, &v4, sizeof v4, 1);
    if (!strcmp(mode, "tcp6")) return stream(AF_INET6, 0, &v6, sizeof v6, 0);
    if (!strcmp(mode, "tcp-mapped")) return stream(AF_INET6, 0, &mapped, sizeof mapped, 0);
    if (!strcmp(mode, "mptcp")) return stream(AF_INET, 262, &v4, sizeof v4, 0);
    if (!strcmp(mode, "sctp")) return stream(AF_INET, IPPROTO_SCTP, &v4, sizeof v4, 0);
    if (!strcmp(mode, "udp6")) return datagram("sendto", AF_INET6, 0, &v6, sizeof v6);
    if (!strcmp(mode, "udp-mapped")) return datagram("sendto", AF_INET6, 0, &mapped, sizeof mapped);
    if (!strcmp(mode, "udplite")) return datagram("sendto", AF_INET, IPPROTO_UDPLITE, &v4, sizeof v4);
    if (!strncmp(mode, "udp-", 4)) return datagram(mode + 4, AF_INET, 0, &v4, sizeof v4);
    if (!strncmp(mode, "fastopen", 8)) return fast_open(mode);
    if (!strcmp(mode, "io_uring")) return by_io_uring();
    if (!strcmp(mode, "raw-udp")) return raw_udp(port);
    if (!strcmp(mode, "packet")) return packet(port);
    return 2;
}
