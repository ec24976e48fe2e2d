// Reaches the unix socket NAME ('@' begins an abstract name) in the way that HOW names. Status 0: reached; 1: refused.
// build unix: 
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const char *how = argv[1], *name = argv[2];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(name) >= sizeof address.sun_path) return 2;
    strcpy(address.sun_path, name);
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + strlen(name) + 1;
    if (name[0] == '@') {
        address.sun_path[0] = 0;
        size--;
    }
    int connecting = !strncmp(how, "connect", 7);
    int type = !strcmp(how, "connect") ? SOCK_STREAM : !strcmp(how, "connect-seqpacket") ? SOCK_SEQPACKET : SOCK_DGRAM;
    int s = socket(AF_UNIX, type, 0);
    struct iovec data = {.iov_base = "x", .iov_len = 1};
    struct mmsghdr message = {
        .msg_hdr = {.msg_name = &address, .msg_namelen = size, .msg_iov = &data, .msg_iovlen = 1}};
    int good;
    if (connecting)
        good = connect(s, (void*)&address, size) == 0 && write(s, "x", 1) == 1;
    else if (!strcmp(how, "sendto"))
        good = sendto(s, "x", 1, 0, (void*)&address, size) == 1;
    else if (!strcmp(how, "sendmsg"))
        good = sendmsg(s, &message.msg_hdr, 0) == 1;
    else
        good = sendmmsg(s, &message, 1, 0) == 1;
    if (!good) perror(name);
    return !good;
}
