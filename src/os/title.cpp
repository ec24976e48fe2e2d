// Overwrites argv in place, which is what /proc/<pid>/cmdline reads; proc(5).
#include "os/title.h"

#include <sys/prctl.h>

#include <cstring>

namespace os {
namespace {

char* space = nullptr;
std::size_t space_size = 0;

}  // namespace

void keep_title_space(int argc, char** argv) {
    if (argc < 1) return;
    space = argv[0];
    space_size =
        static_cast<std::size_t>(argv[argc - 1] + std::strlen(argv[argc - 1]) + 1 - argv[0]);
}

void set_title(const char* title) {
    ::prctl(PR_SET_NAME, title, 0, 0, 0);
    if (space_size == 0) return;
    std::memset(space, 0, space_size);
    std::strncpy(space, title, space_size - 1);
}

}  // namespace os
