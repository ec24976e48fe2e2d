// Makes each kind of brokered change in turn under a storm of signals (`storm MICROSECONDS SECONDS restart|plain`), as a
// program does that repeats what was interrupted. Says which call had another result than it must have.
// build storm:
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t signals;
static void on_signal(int number) { (void)number, signals++; }

static int wrong(const char* call, long result) {
    printf("%s: %ld, %s\n", call, result, strerror(errno));
    return 1;
}

#define MUST(call)                                       \
    do {                                                 \
        long result;                                     \
        do result = (call);                              \
        while (result == -1 && errno == EINTR);          \
        if (result < 0) return wrong(#call, result);     \
        last = result;                                   \
    } while (0)

static int round_of_calls(long number) {
    long last;
    char name[32], other[32];
    snprintf(name, sizeof name, "n%ld", number);
    snprintf(other, sizeof other, "o%ld", number);
    MUST(mkdir(name, 0755));
    MUST(rename(name, other));
    MUST(rmdir(other));
    MUST(symlink("target", name));
    MUST(unlink(name));
    MUST(mknod(name, S_IFIFO | 0600, 0));
    MUST(link(name, other));
    MUST(unlink(name));
    MUST(unlink(other));
    MUST(open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    int file = (int)last;
    MUST(fchmod(file, 0600));
    MUST(setxattr(name, "user.storm", "1", 1, XATTR_CREATE));
    MUST(removexattr(name, "user.storm"));
    MUST(truncate(name, 100));
    close(file);
    MUST(unlink(name));
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "s%ld", number);
    int server = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), client = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    MUST(bind(server, (struct sockaddr*)&address, sizeof address));
    MUST(sendto(client, "x", 1, 0, (struct sockaddr*)&address, sizeof address));
    MUST(unlink(address.sun_path));
    char byte;
    MUST(recv(server, &byte, 1, MSG_DONTWAIT));
    if (recv(server, &byte, 1, MSG_DONTWAIT) >= 0) return wrong("sent twice", 0);
    close(server), close(client);
    return 0;
}

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = strcmp(argv[3], "restart") == 0 ? SA_RESTART : 0};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {{0, atol(argv[1])}, {0, atol(argv[1])}};
    setitimer(ITIMER_REAL, &timer, NULL);
    time_t end = time(NULL) + atol(argv[2]);
    long rounds = 0;
    while (time(NULL) < end || rounds < 20)
        if (round_of_calls(rounds++) != 0) return 1;
    fprintf(stderr, "%ld rounds, %d signals\n", rounds, (int)signals);
    return rounds > 0 && signals > 10 ? 0 : 3;
}
