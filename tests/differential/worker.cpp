// The thread.
#include "worker.h"

#include <sched.h>

#include <thread>
#include <utility>

namespace differential {

Worker::Worker(Table table) {
    std::thread([this] { loop(); }).detach();
    if (table == Table::own) run([] { ::unshare(CLONE_FS | CLONE_FILES); });
}

void Worker::run(std::function<void()> work) {
    std::unique_lock lock(mutex_);
    work_ = std::move(work);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !work_; });
}

void Worker::loop() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return static_cast<bool>(work_); });
        work_();
        work_ = nullptr;
        changed_.notify_all();
    }
}

}  // namespace differential
