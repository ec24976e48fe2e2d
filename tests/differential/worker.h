// A thread that makes calls one at a time for the thread that asks it to.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

namespace differential {

class Worker {
  public:
    /// Whether its working directory, umask and descriptors are those of the thread that makes it.
    enum class Table : unsigned char { shared, own };

    /// Starts the thread, which waits for work until the process ends.
    explicit Worker(Table table);

    /// Returns when the thread has done it.
    void run(std::function<void()> work);

  private:
    void loop();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> work_;
};

}  // namespace differential
