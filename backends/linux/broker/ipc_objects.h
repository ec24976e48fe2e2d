// System V and POSIX IPC objects made inside.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace linux_backend {

enum class IpcKind : std::uint8_t { shared_memory, semaphores, messages };

/// The ids (and POSIX queue names) that this sandbox made and may use. Thread-safe.
class IpcObjects {
  public:
    void add(IpcKind kind, int id) {
        std::scoped_lock hold(lock_);
        ids_.insert({kind, id});
    }
    bool has(IpcKind kind, int id) {
        std::scoped_lock hold(lock_);
        return ids_.count({kind, id}) != 0;
    }
    void add_queue(const std::string& name) {
        std::scoped_lock hold(lock_);
        queues_.insert(name);
    }
    bool has_queue(const std::string& name) {
        std::scoped_lock hold(lock_);
        return queues_.count(name) != 0;
    }
    void remove_queue(const std::string& name) {
        std::scoped_lock hold(lock_);
        queues_.erase(name);
    }

  private:
    std::mutex lock_;
    std::set<std::pair<IpcKind, int>> ids_;
    std::set<std::string> queues_;
};

}  // namespace linux_backend
