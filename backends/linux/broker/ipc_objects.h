// System V and POSIX IPC objects made inside.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace linux_backend {

enum class IpcKind : std::uint8_t { shared_memory, semaphores, messages };

/// The ids (and POSIX queue names) that this sandbox made and may use. Ids are used again by the
/// kernel, so an object is taken out when it is removed. Thread-safe.
class IpcObjects {
  public:
    void add(IpcKind kind, int id) {
        const std::scoped_lock hold(lock_);
        ids_.insert({kind, id});
    }
    bool has(IpcKind kind, int id) {
        const std::scoped_lock hold(lock_);
        return ids_.count({kind, id}) != 0;
    }
    void remove(IpcKind kind, int id) {
        const std::scoped_lock hold(lock_);
        ids_.erase({kind, id});
    }
    /// `inode` tells the queue from a later one of the same name.
    void add_queue(const std::string& name, std::uint64_t inode) {
        const std::scoped_lock hold(lock_);
        queues_[name] = inode;
    }
    bool has_queue(const std::string& name, std::uint64_t inode) {
        const std::scoped_lock hold(lock_);
        const auto found = queues_.find(name);
        return found != queues_.end() && found->second == inode;
    }
    void remove_queue(const std::string& name) {
        const std::scoped_lock hold(lock_);
        queues_.erase(name);
    }

  private:
    std::mutex lock_;
    std::set<std::pair<IpcKind, int>> ids_;
    std::map<std::string, std::uint64_t> queues_;
};

}  // namespace linux_backend
