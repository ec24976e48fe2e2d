// Copies PROGRAM into a file in memory and executes that: execveat, or by its name in /proc when HOW is `proc`.
// build from_memory: 
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char** environ;

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    int from = open(argv[2], O_RDONLY | O_CLOEXEC), to = memfd_create("program", 0);
    char buffer[65536], name[40];
    ssize_t size;
    while ((size = read(from, buffer, sizeof buffer)) > 0)
        if (write(to, buffer, size) != size) return 2;
    if (!strcmp(argv[1], "proc")) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", to);
        execve(name, argv + 2, environ);
    } else {
        syscall(SYS_execveat, to, "", argv + 2, environ, AT_EMPTY_PATH);
    }
    perror("exec");
    return 2;
}
