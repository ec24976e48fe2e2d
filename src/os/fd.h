// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace os {

/// Owns one descriptor, or none (-1). Move-only. Closing ignores errors, as nothing written through
/// an Fd here needs them; whoever must know calls `close(fd.release())`. Every descriptor put into
/// one is close-on-exec from birth.
class Fd {
  public:
    Fd() = default;
    explicit Fd(int descriptor) : descriptor_(descriptor) {}
    Fd(Fd&& other) noexcept : descriptor_(other.release()) {}
    Fd& operator=(Fd&& other) noexcept {
        if (this != &other) reset(other.release());
        return *this;
    }
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    ~Fd() { reset(); }

    int get() const { return descriptor_; }
    explicit operator bool() const { return descriptor_ >= 0; }
    int release() { return std::exchange(descriptor_, -1); }
    void reset(int descriptor = -1) {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = descriptor;
    }

  private:
    int descriptor_ = -1;
};

/// Closes the descriptors from `first` to `last`, as close_range(2), which a filter around us may
/// refuse. Callable after fork.
void close_range(unsigned first, unsigned last);

}  // namespace os
