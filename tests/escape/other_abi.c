// Appends TEXT and a newline to FILE by system calls of another ABI than the program's own: int80 or x32.
// Status 0: written; 1: refused.
// build other_abi: -static -no-pie
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static long int80(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
    return (int)result;
}

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    // Below 4 GiB, so that 32-bit registers can point to it.
    char* low = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED) return 2;
    strncpy(low, argv[2], 4000);
    strncpy(low + 4096, argv[3], 4000);
    strcat(low + 4096, "\n");
    long size = (long)strlen(low + 4096), fd, written;
    if (!strcmp(argv[1], "int80")) {
        fd = int80(5, (long)low, O_WRONLY | O_CREAT | O_APPEND, 0644);
        written = fd < 0 ? fd : int80(4, fd, (long)low + 4096, size);
    } else {
        const long x32 = 0x40000000;
        fd = syscall(x32 + SYS_open, low, O_WRONLY | O_CREAT | O_APPEND, 0644);
        written = fd < 0 ? -errno : syscall(x32 + SYS_write, fd, low + 4096, size);
    }
    if (written != size) fprintf(stderr, "%s: %s\n", argv[1], strerror((int)-written));
    return written != size;
}
