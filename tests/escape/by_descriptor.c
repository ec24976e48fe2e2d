// Opens FILE for reading only (or takes the descriptor that a number names) and tries to change the file through that
// descriptor in the way that HOW names. Status 0: the kernel did it; 1: refused; 3: the file system cannot do it.
// build by_descriptor: 
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

static int reopen(const char* format, int fd, int flags) {
    char name[64];
    snprintf(name, sizeof name, format, fd);
    int again = open(name, flags);
    if (again < 0) return -1;
    if (flags & O_TRUNC) return 0;
    return write(again, "changed\n", 8) == 8 ? 0 : -1;
}

static int through_name(int fd, const char* how) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (!strcmp(how, "chmod-proc")) return chmod(name, 0777);
    if (!strcmp(how, "chown-proc")) return chown(name, getuid(), getgid());
    if (!strcmp(how, "truncate-proc")) return truncate(name, 0);
    if (!strcmp(how, "setxattr-proc")) return setxattr(name, "user.case", "1", 1, 0);
    return utimensat(AT_FDCWD, name, (struct timespec[2]){{1, 0}, {1, 0}}, 0);
}

static int attempt(const char* how, int fd) {
    struct timespec times[2] = {{1, 0}, {1, 0}};
    struct timeval values[2] = {{1, 0}, {1, 0}};
    if (!strcmp(how, "fchmod")) return fchmod(fd, 0777);
    if (!strcmp(how, "fchmodat2")) return (int)syscall(452, fd, "", 0777, AT_EMPTY_PATH);
    // Changing the owner to the same one clears nothing but the time of change.
    if (!strcmp(how, "fchown")) return fchown(fd, getuid(), getgid());
    if (!strcmp(how, "fchownat")) return fchownat(fd, "", getuid(), getgid(), AT_EMPTY_PATH);
    if (!strcmp(how, "futimens")) return (int)syscall(SYS_utimensat, fd, NULL, times, 0);
    if (!strcmp(how, "utimensat-empty")) return (int)syscall(SYS_utimensat, fd, "", times, AT_EMPTY_PATH);
    if (!strcmp(how, "futimesat")) return (int)syscall(SYS_futimesat, fd, NULL, values);
    if (!strcmp(how, "fsetxattr")) return fsetxattr(fd, "user.case", "1", 1, 0);
    if (!strcmp(how, "fremovexattr")) return fremovexattr(fd, "user.old");
    if (!strcmp(how, "setflags")) {
        int flags = 0;
        if (ioctl(fd, FS_IOC_GETFLAGS, &flags)) return -1;
        flags ^= FS_NODUMP_FL;
        return ioctl(fd, FS_IOC_SETFLAGS, &flags);
    }
    if (!strcmp(how, "setproject")) {
        struct fsxattr flags;
        if (ioctl(fd, FS_IOC_FSGETXATTR, &flags)) return -1;
        flags.fsx_xflags ^= FS_XFLAG_NODUMP;
        return ioctl(fd, FS_IOC_FSSETXATTR, &flags);
    }
    if (!strcmp(how, "reopen-proc")) return reopen("/proc/self/fd/%d", fd, O_WRONLY | O_APPEND);
    if (!strcmp(how, "reopen-thread")) return reopen("/proc/thread-self/fd/%d", fd, O_WRONLY | O_APPEND);
    if (!strcmp(how, "reopen-dev")) return reopen("/dev/fd/%d", fd, O_RDWR | O_APPEND);
    if (!strcmp(how, "reopen-truncate")) return reopen("/proc/self/fd/%d", fd, O_RDONLY | O_TRUNC);
    return through_name(fd, how);
}

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) return 2;
    int number = atoi(argv[2]);
    int fd = argv[2][0] == '/' ? open(argv[2], argc == 4 ? O_PATH : O_RDONLY) : number;
    if (fd < 0) return perror(argv[2]), 2;
    if (attempt(argv[1], fd) == 0) return 0;
    const int error = errno;
    perror(argv[1]);
    errno = error;
    return errno == EOPNOTSUPP || errno == ENOTTY || errno == EINVAL || errno == ENOSYS ? 3 : 1;
}
