// The arguments of an operation as the kernel takes them.
#pragma once

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <deque>
#include <vector>

#include "operation.h"

namespace differential {

/// Owns what the arguments point to; refers to the operation, which has to outlive it.
class Marshalled {
  public:
    explicit Marshalled(const Operation& operation);
    Marshalled(const Marshalled&) = delete;
    Marshalled& operator=(const Marshalled&) = delete;

    /// Makes the call: what syscall(2) returns, with errno.
    long make();

    long value(std::size_t index) const { return values_[index]; }
    /// Adds O_NONBLOCK to an open.
    void set_nonblocking(const Operation& operation);

    /// What the call has filled; null when it fills nothing of the kind.
    const char* buffer() const { return buffer_.empty() ? nullptr : buffer_.data(); }
    const struct stat* status() const { return has_status_ ? &status_ : nullptr; }

  private:
    void add(long value) { values_[count_++] = value; }
    void add_pointer(const void* pointer) { add(reinterpret_cast<long>(pointer)); }
    void add_argument(char letter, const Argument& argument);
    void add_list(char letter, const Argument& argument);
    void add_address(const Argument& argument);
    void add_attribute(const Argument& argument);
    void add_capabilities(unsigned long dropped);

    long number_;
    std::array<long, 8> values_ = {};
    std::size_t count_ = 0;
    std::vector<char> buffer_;
    struct stat status_ = {};
    bool has_status_ = false;
    std::deque<std::vector<long>> lists_;
    std::vector<unsigned> groups_;
    struct {
        unsigned long value;
        unsigned size;
        unsigned flags;
    } attribute_ = {};  // struct xattr_args
    sockaddr_un address_ = {};
    __user_cap_header_struct capability_header_ = {};
    std::array<__user_cap_data_struct, 2> capabilities_ = {};
};

}  // namespace differential
