// Runs a program on a machine that lacks something: `without LACK… -- PROGRAM ARGUMENT…`. A LACK is
//   CALL ERRNO                 the system call fails so
//   CALL INDEX=VALUE ERRNO     where the low half of that argument is VALUE
//   CALL INDEX&MASK ERRNO      where it has one of these bits
//   listener                   a seccomp listener already watches
// The filter is inherited by all that PROGRAM starts. Values are numbers or names of the table below.
// build without:
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char* name;
    unsigned value;
} names[] = {
    {"ioctl", SYS_ioctl},
    {"landlock_add_rule", 445},
    {"landlock_create_ruleset", 444},
    {"landlock_restrict_self", 446},
    {"pidfd_getfd", 438},
    {"pidfd_open", 434},
    {"process_vm_readv", SYS_process_vm_readv},
    {"seccomp", SYS_seccomp},
    {"openat2", 437},
    {"close_range", 436},
    {"clone3", 435},
    {"faccessat2", 439},
    {"renameat2", SYS_renameat2},
    {"statx", SYS_statx},
    {"unshare", SYS_unshare},
    {"mount", SYS_mount},
    {"keyctl", SYS_keyctl},
    {"add_key", SYS_add_key},
    {"ptrace", SYS_ptrace},
    {"bpf", SYS_bpf},
    {"kcmp", SYS_kcmp},
    {"RECV", SECCOMP_IOCTL_NOTIF_RECV},
    {"SEND", SECCOMP_IOCTL_NOTIF_SEND},
    {"ADDFD", SECCOMP_IOCTL_NOTIF_ADDFD},
    {"SET_FLAGS", 0x40082104},
    {"NEW_LISTENER", SECCOMP_FILTER_FLAG_NEW_LISTENER},
    {"WAIT_KILLABLE", 1 << 5},
    {"EACCES", EACCES},
    {"EBUSY", EBUSY},
    {"EINVAL", EINVAL},
    {"ENOSYS", ENOSYS},
    {"ENOTTY", ENOTTY},
    {"EPERM", EPERM},
};

static unsigned value_of(const char* text) {
    char* end;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, text) == 0) return names[i].value;
    unsigned long value = strtoul(text, &end, 0);
    if (*text == '\0' || *end != '\0') {
        fprintf(stderr, "without: unknown: %s\n", text);
        exit(2);
    }
    return (unsigned)value;
}

static void deny(char* lack) {
    char *call = strtok(lack, " "), *second = strtok(NULL, " "), *third = strtok(NULL, " ");
    if (second == NULL) exit(2);
    char* condition = third != NULL ? second : NULL;
    unsigned error = value_of(third != NULL ? third : second);
    struct sock_filter program[6];
    int length = 0;
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value_of(call), 0, condition ? 3 : 1);
    if (condition != NULL) {
        unsigned index = (unsigned)(condition[0] - '0');
        unsigned test = condition[1] == '&' ? BPF_JSET : BPF_JEQ;
        program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]) + 8 * index);
        program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value_of(condition + 2), 0, 1);
    }
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog whole = {(unsigned short)length, program};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) != 0) exit(2);
}

/// Runs the rest in a child below a listener that this process keeps.
static void listen_around(void) {
    struct sock_filter pass[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog whole = {1, pass};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &whole) < 0) exit(2);
    pid_t child = fork();
    if (child == 0) return;
    int status = 0;
    waitpid(child, &status, 0);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

int main(int argc, char** argv) {
    int at = 1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 2;
    for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
        if (strcmp(argv[at], "listener") == 0)
            listen_around();
        else
            deny(argv[at]);
    }
    if (at + 1 >= argc) return 2;
    execvp(argv[at + 1], argv + at + 1);
    perror(argv[at + 1]);
    return 127;
}
