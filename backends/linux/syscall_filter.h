// The seccomp filter: the table of system calls as a classic BPF program.
// Source: seccomp(2), Documentation/userspace-api/seccomp_filter.rst.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "policy/policy.h"

namespace linux_backend {

/// How the policy in force shapes the filter.
struct FilterOptions {
    policy::ReadMode read_mode = policy::ReadMode::fixed;
    /// In fixed mode: directories above refused ones are listed by the broker, so opens with
    /// O_DIRECTORY are notified.
    bool notify_directories = true;
    /// Some rule speaks of running programs.
    bool notify_execution = false;
};

/// Option of prctl(2) that no kernel knows: inside a sandbox the filter answers it with
/// `nested_answer` as errno, so that a shell started inside knows it without any state that could
/// be forged.
inline constexpr std::uint32_t nested_query = 0x53425853;
inline constexpr int nested_answer = 1234;

/// Builds the program; a few microseconds, no system call. At most BPF_MAXINSNS instructions.
std::vector<sock_filter> build_filter(const FilterOptions& options);

}  // namespace linux_backend
