// Appends TEXT and a newline to FILE. Status 0: written; 1: refused.
// build write_file: 
// build write_file_static: -static
// build write_file_32: -m32
// build write_file_32_static: -m32 -static
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    int fd = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0) return perror(argv[1]), 1;
    size_t size = strlen(argv[2]);
    return write(fd, argv[2], size) == (ssize_t)size && write(fd, "\n", 1) == 1 ? 0 : 1;
}
