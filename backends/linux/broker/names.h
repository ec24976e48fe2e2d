// Holding the broker's lock on names while one is resolved, decided on and changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace linux_backend {

class Broker;

enum class Hold : std::uint8_t { shared, alone };

/// Holds Broker::names() for its own lifetime.
class NamesHold {
  public:
    NamesHold(Broker& broker, Hold hold);
    ~NamesHold();
    NamesHold(const NamesHold&) = delete;
    NamesHold& operator=(const NamesHold&) = delete;

  private:
    Broker& broker_;
    Hold hold_;
};

/// How the lock is to be held to make a new name at `path`, which is as the caller wrote it.
Hold hold_to_make(std::string_view path);

/// A path without the slashes at its end; "/" stays.
std::string_view without_slashes(std::string_view path);

}  // namespace linux_backend
