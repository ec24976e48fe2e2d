// What is chosen, and how often. Most arguments are ordinary, so that sequences get somewhere.
#include "generate.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <iterator>
#include <string_view>

#include "call_table.h"
#include "operation.h"

namespace differential {
namespace {

/// Names of the tree (tree.cpp) and some that are free at first.
constexpr const char* names[] = {
    "f",    "g",     "x",     "ro",   "suid", "shut", "h1",     "h2",    "d",       "empty",  "n",
    "s",    "sg",    "r",     "l",    "ld",   "ldd",  "lf",     "up",    "here",    "loop",   "a",
    "dang", "dangd", "dangs", "abs",  "absd", "null", "selffd", "devfd", "cwd",     "c39",    "c40",
    "sock", "p",     "e",     "new0", "new1", "new2", "new3",   "new4",  "nowhere", "missing"};

constexpr const char* paths[] = {
    "d/f",       "d/e",       "d/e/f",         "n/f",      "s/f",      "sg/f",    "r/f",
    "d/l",       "d/new0",    "d/new1",        "d/e/new0", "s/new0",   "sg/new0", "sg/new1",
    "r/new0",    "n/new0",    "ld/f",          "ldd/e/f",  "d/../f",   "ld/../f", "up/t/f",
    "here/d",    "absd/new0", "cwd/f",         "dang/x",   "loop/x",   "f/x",     "f/..",
    "l/.",       "missing/x", "s/new1",        "../new0",  "../t/d/f", "devfd/f", "new1/new0",
    "new0/new1", "d/e/../..", "d/e/../../new2"};

constexpr const char* free_paths[] = {"new0",    "new1",   "new2",      "new3",     "new4",
                                      "d/new0",  "s/new0", "sg/new0",   "sg/new1",  "d/e/new0",
                                      "empty/x", "r/new0", "ld/new1",   "../new0",  "absd/new2",
                                      "n/new0",  "new0/x", "new1/new0", "up/t/new3"};

constexpr const char* directories[] = {
    "empty", "empty", "new0", "new1", "new2", "d/new0", "sg/new0", "d",  "d/e",      "n",
    "s",     "sg",    "r",    "ld",   "up",   "absd",   "here",    "..", "d/e/new0", "%/t"};

/// What happens too seldom by itself: each is a few lines in a row.
constexpr const char* scenes[] = {
    "chdir \"empty\"\nrmdir \"../empty\"\nmkdir \"x\" 0755\nopenat -100 \"../f\" 0x2 0\n"
    "rename \"../f\" \"f\"\nopen \"x\" 0x41 0644\nchmod \".\" 0700\ngetcwd",
    "linkat -100 \"/proc/self/fd/10\" -100 \"new0\" 0x400",
    "linkat 10 \"\" 4 \"new1\" 0x1000\nlinkat 10 \"\" 4 \"new2\" 0x1000",
    "openat -100 \"d\" 0x410082 0600\nlinkat -100 \"/proc/self/fd/17\" 3 \"new3\" 0x400",
    "prlimit64 7 17,-1\nopen \"new0\" 0x41 0644\nopen \"f\" 0x201 0\nmkdir \"new1\" 0755",
    "prlimit64 1 3,-1\ntruncate \"f\" 5\nwrite 5 \"too much\"\ntruncate \"f\" 2\nftruncate 5 9",
    "chmod \"d\" 0\nopen \"d/f\" 0x2 0\nmkdir \"d/new0\" 0755\nunlink \"d/f\"",
    "chmod \"d\" 0644\nopen \"d/f\" 0x2 0\nmkdir \"d/f\" 0755\nrename \"d/f\" \"new0\"",
    "setxattr \"d\" \"system.posix_acl_default\" "
    "\"\\x02\\x00\\x00\\x00\\x01\\x00\\x07\\x00\\xff\\xff\\xff"
    "\\xff\\x04\\x00\\x05\\x00\\xff\\xff\\xff\\xff\\x20\\x00\\x04\\x00\\xff\\xff\\xff\\xff\" 0\n"
    "umask 077\nmkdir \"d/new0\" 0777\nopen \"d/new1\" 0x42 0666\nmknod \"d/new2\" 010666 0",
    "setxattr \"f\" \"system.posix_acl_access\" "
    "\"\\x02\\x00\\x00\\x00\\x01\\x00\\x06\\x00\\xff\\xff\\xff"
    "\\xff\\x02\\x00\\x06\\x00\\xea\\x03\\x00\\x00\\x04\\x00\\x04\\x00\\xff\\xff\\xff\\xff\\x10\\x0"
    "0"
    "\\x06\\x00\\xff\\xff\\xff\\xff\\x20\\x00\\x00\\x00\\xff\\xff\\xff\\xff\" 0\nchmod \"f\" 0640",
    "setresuid 1002 1002 1002\nopen \"s/f\" 0x42 0644\nopen \"s/g\" 0x241 0644\nunlink \"s/g\"\n"
    "unlink \"s/f\"\nlink \"f\" \"s/new0\"\nopen \"s/new1\" 0x41 0600\nrename \"s/f\" \"s/new2\"",
    "setgroups 1001,1002\nsetresgid -1 1002 -1\nsetresuid -1 1002 -1\nmkdir \"sg/new0\" 02777\n"
    "open \"sg/new1\" 0x41 02755\nchown \"sg/new1\" -1 1001\nchmod \"sg/new1\" 02755",
    "mkdir \"new0\" 0755\nmkdir \"new0/x\" 0755\nrenameat2 -100 \"new0\" -100 \"d/e\" 2\n"
    "rename \"d\" \"d/e/x/new1\"\nrename \"d/e/x\" \"new2\"",
    "mkdir \"new0\" 0755\nrename \"d\" \"new0\"\nrename \"new0/e\" \"empty\"\nrmdir \"empty\"",
    "link \"f\" \"new0\"\nrename \"f\" \"new0\"\nrenameat2 -100 \"f\" -100 \"new0\" 1\nunlink "
    "\"f\"",
    "mknod \"new0\" 010644 0\nopen \"new0\" 0x802 0\nopen \"new0\" 0x801 0\nopen \"new0\" 0x800 0",
    "bind 11 \"new0\"\nchmod \"new0\" 0600\nopen \"new0\" 0x2 0\nconnect 11 \"new0\"\nunlink "
    "\"new0\"",
    "chmod \"f\" 06755\nwrite 5 \"x\"\nchmod \"f\" 02745\ntruncate \"f\" 1\nchown \"f\" 1001 -1",
    "unlink \"f\"\nfchmod 5 0600\nfchown 5 -1 -1\nlinkat -100 \"/proc/self/fd/5\" -100 \"new0\" "
    "0x400\n"
    "fsetxattr 5 \"user.a\" \"value\" 0\ntruncate \"/proc/self/fd/5\" 3\nopen \"/dev/fd/5\" 0x241 "
    "0644",
    "close 3\nclose 4\nopen \"d\" 0x10000 0\nopen \"new0\" 0x42 0600\nfchdir 3\nunlink \"f\""};

constexpr const char* odd_paths[] = {"",
                                     ".",
                                     "..",
                                     "/",
                                     "//",
                                     "./",
                                     "f/",
                                     "l/",
                                     "d/",
                                     "ld/",
                                     "new0/",
                                     "dang/",
                                     "empty/",
                                     "empty/.",
                                     "empty/..",
                                     "d/.",
                                     "f/.",
                                     "dang/.",
                                     "p/",
                                     "loop/",
                                     "./f",
                                     ".//d///f",
                                     "%/t/f",
                                     "%/t/d/",
                                     "%/t",
                                     "%/new1",
                                     "%",
                                     "%/t/ld/../new1",
                                     "\\{255:z}",
                                     "\\{256:z}",
                                     "d/\\{255:z}",
                                     "d/\\{256:z}",
                                     "\\{255:z}/",
                                     "\\x01\\xff *\\x0a?",
                                     "\\xff",
                                     "d/\\xc3\\x28",
                                     "\\{2047:./}f",
                                     "\\{2046:./}/f",
                                     "\\{2048:./}f",
                                     "\\{5000:x}",
                                     "\\{2040:./}new4",
                                     "\\{2045:d/../}f",
                                     "\\{300:here/}f",
                                     "\\{39:here/}f",
                                     "\\{40:here/}f",
                                     "\\{41:here/}f",
                                     "...",
                                     "d/...",
                                     "\\{15:d/e/../../}new3"};

constexpr const char* process_paths[] = {
    "/proc/self/fd/5",  "/proc/self/fd/9",  "/proc/self/fd/10",     "/proc/self/fd/4",
    "/proc/self/fd/3",  "/proc/self/fd/7",  "/proc/self/fd/99",     "/proc/thread-self/fd/5",
    "/dev/fd/5",        "/dev/fd/3",        "/dev/fd/12",           "/dev/fd/10",
    "/proc/self/fd/13", "/proc/self/fd/11", "/proc/self/cwd",       "/proc/self/cwd/d",
    "/dev/fd/3/f",      "/dev/fd/4/f",      "/proc/self/fd/3/new0", "/proc/self/fd/8/f",
    "/proc/self/root",  "/proc/self/fd",    "/proc/self/fd/5/",     "/proc/self/fd/4/new1",
    "/dev/null",        "/dev/zero",        "/proc/self/cwd/new2",  "/proc/thread-self/cwd/f",
    "/dev/stdin",       "/proc/self/fd/6",  "/proc/self/fd/16",     "/proc/self/fd/17"};

class Source {
  public:
    /// The first number becomes the state: the states of neighbouring seeds would follow each
    /// other.
    explicit Source(std::uint64_t seed) : state_(seed) { state_ = next(); }

    /// splitmix64, so that a seed means the same everywhere.
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    unsigned below(unsigned limit) { return static_cast<unsigned>(next() % limit); }
    bool chance(unsigned percent) { return below(100) < percent; }
    template <class T, std::size_t size>
    const T& of(const T (&choices)[size]) {
        return choices[below(size)];
    }

  private:
    std::uint64_t state_;
};

std::string number(long value) {
    return std::to_string(value);
}
std::string octal(unsigned long value) {
    char text[32];
    std::snprintf(text, sizeof text, "0%lo", value);
    return text;
}
std::string hexadecimal(unsigned long value) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%lx", value);
    return text;
}

std::string path_text(Source& source, char letter) {
    std::string path;
    const unsigned kind = source.below(100);
    if (letter == 'q' && source.chance(50)) {
        path = source.of(free_paths);
    } else if (letter == 'y' && source.chance(60)) {
        path = source.of(directories);
    } else if (kind < 40) {
        path = source.of(names);
    } else if (kind < 65) {
        path = source.of(paths);
    } else if (kind < 76) {
        return source.of(odd_paths);
    } else if (kind < 82) {
        return source.of(process_paths);
    } else {
        if (source.chance(15)) path = source.chance(50) ? "%/" : "%/t/";
        const unsigned components = 1 + source.below(4);
        for (unsigned i = 0; i < components; ++i) {
            if (i > 0) path += source.chance(5) ? "//" : "/";
            path += source.chance(10) ? "." : source.chance(20) ? ".." : source.of(names);
        }
    }
    if (source.chance(6)) path += source.chance(70) ? "/" : source.chance(50) ? "/." : "/..";
    return path;
}

std::string path_argument(Source& source, char letter) {
    if (source.chance(1)) return source.chance(50) ? "null" : "bad";
    return '"' + path_text(source, letter) + '"';
}

std::string descriptor(Source& source) {
    constexpr int odd[] = {-1, 99, 1000000, -2};
    if (source.chance(4)) return number(source.of(odd));
    return number(3 + source.below(18));
}

std::string directory(Source& source) {
    constexpr int likely[] = {3, 3, 3, 4, 4, 4, 8, 15, 5, 9, 7, 12};
    if (source.chance(55)) return number(AT_FDCWD);
    return source.chance(75) ? number(source.of(likely)) : descriptor(source);
}

unsigned long open_flags(Source& source) {
    constexpr unsigned long modes[] = {O_RDONLY, O_RDONLY, O_WRONLY, O_RDWR, O_RDWR, O_ACCMODE};
    constexpr unsigned long common[] = {O_CREAT,     O_CREAT | O_EXCL, O_CREAT,   O_TRUNC,
                                        O_DIRECTORY, O_NOFOLLOW,       O_CLOEXEC, O_APPEND,
                                        O_NONBLOCK,  O_CREAT | O_TRUNC};
    constexpr unsigned long rare[] = {O_PATH,  O_TMPFILE,          O_EXCL,     O_NOATIME, O_SYNC,
                                      O_DSYNC, O_NOCTTY,           O_DIRECT,   O_ASYNC,   0100000,
                                      O_PATH,  O_TMPFILE | O_RDWR, 0x10000000, 020000000};
    unsigned long flags = source.of(modes);
    for (int i = 0; i < 3; ++i)
        if (source.chance(45)) flags |= source.of(common);
    if (source.chance(18)) flags |= source.of(rare);
    return flags;
}

unsigned long mode(Source& source) {
    constexpr unsigned long modes[] = {0644, 0755,  0600,  0777,  0666,  0,    0444,
                                       0111, 01777, 02755, 04755, 07777, 0700, 0123};
    return source.chance(97) ? source.of(modes) : source.next() & 0xffffffff;
}

std::string node_mode(Source& source) {
    constexpr unsigned long types[] = {0,       S_IFREG, S_IFIFO, S_IFSOCK, S_IFIFO,
                                       S_IFCHR, S_IFDIR, S_IFLNK, S_IFBLK,  0170000};
    return octal(source.of(types) | (mode(source) & 07777));
}

std::string length(Source& source) {
    constexpr long lengths[] = {0,    1,     3,        5,        100, 4096,
                                5000, 10000, 1L << 31, 1L << 40, -1,  1L << 62};
    return number(source.chance(80) ? source.of(lengths) % 6000 : source.of(lengths));
}

std::string times(Source& source, long fractions, std::string_view odd_values) {
    if (source.chance(20)) return "null";
    constexpr long seconds[] = {0, 1, 1'000'000'000, 1'234'567'890, -1, 1L << 33, 1L << 40};
    std::string text;
    for (int i = 0; i < 2; ++i) {
        if (i > 0) text += ',';
        text += number(source.chance(80) ? source.of(seconds) & 0x7fffffff : source.of(seconds));
        if (fractions == 0) continue;
        text += ',';
        if (source.chance(25) && !odd_values.empty()) {
            constexpr long special[] = {UTIME_NOW, UTIME_OMIT, UTIME_OMIT, -1, 1'000'000'000};
            text += number(source.of(special));
        } else {
            text += number(static_cast<long>(
                source.below(static_cast<unsigned>(fractions) + (source.chance(4) ? 5 : 0))));
        }
    }
    return text;
}

std::string attribute_name(Source& source) {
    constexpr const char* attributes[] = {"\"user.a\"",
                                          "\"user.a\"",
                                          "\"user.b\"",
                                          "\"trusted.a\"",
                                          "\"security.a\"",
                                          "\"system.posix_acl_access\"",
                                          "\"user.\"",
                                          "\"\"",
                                          "\"nowhere.a\"",
                                          "\"user.\\{260:y}\"",
                                          "\"user.\\{250:y}\"",
                                          "bad",
                                          "\"security.capability\""};
    return source.chance(60) ? "\"user.a\"" : source.of(attributes);
}

std::string bytes(Source& source) {
    constexpr const char* values[] = {
        "\"value\"",     "\"\"", "\"other\"",       "\"a\\x00b\"",   "null",
        "\"\\{600:v}\"", "bad",  "\"\\{70000:v}\"", "\"\\{6000:v}\""};
    return source.chance(60) ? "\"value\"" : source.of(values);
}

std::string link_text(Source& source) {
    if (source.chance(90)) return '"' + path_text(source, 'p') + '"';
    constexpr const char* texts[] = {
        "\"\\{4095:x}\"", "\"\\{4096:x}\"", "\"\"", "bad", "\"\\{4094:x}\"", "null"};
    return source.of(texts);
}

unsigned long at_flags(Source& source) {
    constexpr unsigned long flags[] = {0,
                                       0,
                                       0,
                                       AT_SYMLINK_NOFOLLOW,
                                       AT_SYMLINK_NOFOLLOW,
                                       AT_EMPTY_PATH,
                                       AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW,
                                       AT_SYMLINK_FOLLOW,
                                       0x10000};
    return source.of(flags);
}

long user(Source& source) {
    constexpr long users[] = {-1, -1, 0, 1001, 1002};
    return source.of(users);
}

std::string open_how(Source& source) {
    constexpr unsigned long resolve[] = {0,
                                         0,
                                         0,
                                         RESOLVE_BENEATH,
                                         RESOLVE_IN_ROOT,
                                         RESOLVE_NO_SYMLINKS,
                                         RESOLVE_NO_MAGICLINKS,
                                         RESOLVE_NO_XDEV,
                                         RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
                                         RESOLVE_BENEATH | RESOLVE_IN_ROOT,
                                         RESOLVE_CACHED,
                                         0x100};
    const unsigned long flags = open_flags(source);
    const bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    const unsigned long given =
        makes != source.chance(3) ? mode(source) & (source.chance(95) ? 07777 : ~0UL) : 0;
    return hexadecimal(flags) + ',' + octal(given) + ',' + hexadecimal(source.of(resolve));
}

std::string limit(Source& source) {
    constexpr long limits[] = {0, 5, 12, 17, 20, 1024, 4096, 10000, -1};
    return number(source.of(limits)) + ",-1";
}

std::string small_argument(Source& source, char letter) {
    constexpr int access_modes[] = {F_OK, R_OK, W_OK, X_OK, R_OK | W_OK, 7, 8};
    constexpr int unlink_flags[] = {0, 0, 0, AT_REMOVEDIR, AT_REMOVEDIR, 1};
    constexpr unsigned rename_flags[] = {0,
                                         RENAME_NOREPLACE,
                                         RENAME_EXCHANGE,
                                         RENAME_WHITEOUT,
                                         8,
                                         RENAME_NOREPLACE | RENAME_EXCHANGE,
                                         RENAME_NOREPLACE | RENAME_WHITEOUT,
                                         RENAME_EXCHANGE,
                                         RENAME_EXCHANGE | RENAME_WHITEOUT};
    constexpr int link_flags[] = {0,
                                  0,
                                  AT_SYMLINK_FOLLOW,
                                  AT_SYMLINK_FOLLOW,
                                  AT_EMPTY_PATH,
                                  AT_EMPTY_PATH | AT_SYMLINK_FOLLOW,
                                  AT_SYMLINK_NOFOLLOW};
    constexpr int access_flags[] = {0, AT_EACCESS, AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH, 0x10};
    constexpr int attribute_flags[] = {0, 0, 0, 1, 2, 3, 4};
    constexpr long devices[] = {0, 0x103, 0x105, 0x800};
    // Without O_NONBLOCK a read of a pipe would wait for ever.
    constexpr int status_flags[] = {O_NONBLOCK, O_NONBLOCK, O_APPEND | O_NONBLOCK,
                                    O_NOATIME | O_NONBLOCK, O_DIRECT | O_NONBLOCK};
    switch (letter) {
        case 'R':
            return number(source.of(access_modes));
        case 'u':
            return hexadecimal(static_cast<unsigned>(source.of(unlink_flags)));
        case 'r':
            return number(source.of(rename_flags));
        case 'k':
            return hexadecimal(static_cast<unsigned>(source.of(link_flags)));
        case 'e':
            return hexadecimal(static_cast<unsigned>(source.of(access_flags)));
        case 'F':
            return number(source.of(attribute_flags));
        case 'v':
            return hexadecimal(static_cast<unsigned long>(source.of(devices)));
        case 'i':
            return hexadecimal(static_cast<unsigned>(source.of(status_flags)));
        case 'h':
            return number(source.below(5));
        case 'N':
            return number(3 + source.below(25));
        case 'w':
            return source.chance(50) ? "1" : "7";  // RLIMIT_FSIZE, RLIMIT_NOFILE
        case 'C':
            return hexadecimal(source.chance(50) ? 0x2 : 0x3fffffffff);
        default:
            return "0";
    }
}

/// The descriptor that a call acts on: sockets are few.
std::string acted_on(Source& source, const CallRow& row) {
    const bool wants_socket = row.name == "bind" || row.name == "connect";
    return wants_socket && source.chance(80) ? "11" : descriptor(source);
}

std::string argument(Source& source, char letter) {
    switch (letter) {
        case 'd':
            return directory(source);
        case 'p':
        case 'y':
        case 'q':
            return path_argument(source, letter);
        case 'A':
            return path_argument(source, 'q');
        case 't':
            return link_text(source);
        case 'o':
            return hexadecimal(open_flags(source));
        case 'm':
            return octal(mode(source));
        case 'M':
            return node_mode(source);
        case 'a':
            return hexadecimal(at_flags(source));
        case 'U':
            return number(user(source));
        case 'G':
            return number(user(source));
        case 'g':
            return source.chance(50) ? "1001,1002" : "0,1002";
        case 'L':
            return length(source);
        case 'T':
            return times(source, 1'000'000'000, "special");
        case 'V':
            return times(source, 1'000'000, "");
        case 'W':
            return times(source, 0, "");
        case 'x':
            return attribute_name(source);
        case 'b':
        case 'X':
            return bytes(source);
        case 'D':
            return hexadecimal(source.chance(90) ? source.below(2) * O_CLOEXEC : 1);
        case 'H':
            return open_how(source);
        case 'l':
            return limit(source);
        default:
            return small_argument(source, letter);
    }
}

const CallRow& choose(Source& source) {
    unsigned total = 0;
    for (const CallRow& row : call_table()) total += row.weight;
    unsigned at = source.below(total);
    for (const CallRow& row : call_table()) {
        if (at < row.weight) return row;
        at -= row.weight;
    }
    return call_table().front();
}

}  // namespace

std::vector<std::string> generate(std::uint64_t seed, std::size_t length) {
    Source source(seed);
    std::vector<std::string> lines;
    const bool one_thread = source.chance(60);
    while (lines.size() < length) {
        if (source.chance(2)) {
            for (std::string& line : lines_of(source.of(scenes))) lines.push_back(std::move(line));
            continue;
        }
        const CallRow& row = choose(source);
        std::string line;
        if (!one_thread && source.chance(40)) line = '@' + number(1 + source.below(3)) + ' ';
        line += row.name;
        for (const char letter : row.arguments)
            if (is_written(letter))
                line += ' ' + (letter == 'f' ? acted_on(source, row) : argument(source, letter));
        lines.push_back(std::move(line));
    }
    lines.resize(length);
    return lines;
}

}  // namespace differential
