// System calls through the entries of other ABIs than this program's own.
#include "ctl/verify/other_entry.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "ctl/verify/attempt.h"
#include "ctl/verify/calls.h"

namespace ctl::verify {

#ifdef __x86_64__

int create_file_by_32_bit_entry(const std::string& path) {
    constexpr long open_number = 5;
    constexpr std::size_t page = 4096;
    // Below 4 GiB, so that a 32-bit register can point to it.
    void* const low =
        mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED || path.size() >= page) return ENOMEM;
    std::memcpy(low, path.c_str(), path.size() + 1);
    long result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(open_number), "b"(low), "c"(O_WRONLY | O_CREAT), "d"(0600)
                     : "memory", "r8", "r9", "r10", "r11");
    const int value = static_cast<int>(result);
    return value < 0 ? -value : 0;
}

int create_file_by_x32_entry(const std::string& path) {
    constexpr long x32 = 0x40000000;
    return outcome_of(call(x32 + SYS_open, path.c_str(), O_WRONLY | O_CREAT, 0600));
}

#else

int create_file_by_32_bit_entry(const std::string&) {
    return ENOSYS;
}

int create_file_by_x32_entry(const std::string&) {
    return ENOSYS;
}

#endif

}  // namespace ctl::verify
