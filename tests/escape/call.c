// Makes the system call NUMBER with arguments given as i:INTEGER, s:TEXT, b:SIZE (zeroed buffer), r:FILE or w:FILE (a descriptor
// opened for reading or writing), d:DIRECTORY (a descriptor for O_PATH). Prints "0" or the errno. Status 0: it succeeded.
// build call: 
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
    long arguments[6] = {0};
    if (argc < 2 || argc > 8) return 2;
    for (int i = 2; i < argc; i++) {
        const char* text = argv[i] + 2;
        long* argument = &arguments[i - 2];
        switch (argv[i][0]) {
            case 'i': *argument = strtol(text, NULL, 0); break;
            case 's': *argument = (long)text; break;
            case 'b': *argument = (long)calloc(1, atol(text)); break;
            case 'r': *argument = open(text, O_RDONLY); break;
            case 'w': *argument = open(text, O_RDWR); break;
            case 'd': *argument = open(text, O_PATH); break;
            default: return 2;
        }
    }
    long result = syscall(strtol(argv[1], NULL, 0), arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                          arguments[5]);
    int error = result == -1 ? errno : 0;
    printf("%d\n", error);
    return error != 0;
}
