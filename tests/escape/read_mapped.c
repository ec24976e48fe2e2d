// Prints a file by mapping it.
// build read_mapped: 
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info)) return perror(argv[1]), 1;
    char* text = mmap(0, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (text == MAP_FAILED) return perror("mmap"), 1;
    return write(1, text, info.st_size) == info.st_size ? 0 : 1;
}
