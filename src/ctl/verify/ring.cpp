// io_uring without its library.
#include "ctl/verify/ring.h"

#include <linux/io_uring.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "ctl/verify/attempt.h"
#include "ctl/verify/calls.h"

namespace ctl::verify {
namespace {

/// A part of a ring's shared memory; null when it cannot be had. Never unmapped: the process ends.
char* map_part(int ring, std::size_t size, off_t part) {
    void* const memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, part);
    return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

std::uint32_t& number_at(char* memory, std::uint32_t offset) {
    return *reinterpret_cast<std::uint32_t*>(memory + offset);
}

}  // namespace

int create_file_by_ring(const std::string& path) {
    io_uring_params parameters{};
    const int ring = static_cast<int>(call(SYS_io_uring_setup, 1, &parameters));
    if (ring < 0) return errno;
    const std::size_t submission_size =
        parameters.sq_off.array + parameters.sq_entries * sizeof(std::uint32_t);
    const std::size_t completion_size =
        parameters.cq_off.cqes + parameters.cq_entries * sizeof(io_uring_cqe);
    char* const submission = map_part(ring, submission_size, IORING_OFF_SQ_RING);
    char* const completion = map_part(ring, completion_size, IORING_OFF_CQ_RING);
    char* const entries =
        map_part(ring, parameters.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES);
    if (submission == nullptr || completion == nullptr || entries == nullptr) return errno;

    auto& entry = *reinterpret_cast<io_uring_sqe*>(entries);
    entry = {};
    entry.opcode = IORING_OP_OPENAT;
    entry.fd = AT_FDCWD;
    entry.addr = reinterpret_cast<std::uintptr_t>(path.c_str());
    entry.open_flags = O_WRONLY | O_CREAT;
    entry.len = 0600;
    number_at(submission, parameters.sq_off.array) = 0;
    std::atomic_ref(number_at(submission, parameters.sq_off.tail)).store(1);
    if (call(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, nullptr, 0) < 0) return errno;
    const auto& result =
        *reinterpret_cast<const io_uring_cqe*>(completion + parameters.cq_off.cqes);
    return result.res < 0 ? -result.res : 0;
}

}  // namespace ctl::verify
