// Sockets made inside, remembered for all sandboxes of the same workspace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace linux_backend {

/// Identity of a unix socket's file. The birth time tells a new socket from one whose inode number was used before.
struct UnixSocketId {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t birth_nanoseconds = 0;
};

/// How an internet listener was bound.
enum class BoundTo : std::uint8_t {
    loopback,   ///< As asked.
    any_as_v4,  ///< Asked for all addresses on a dual-stack IPv6 socket, bound to ::ffff:127.0.0.1.
};

/// Appends to one file under the workspace's state directory, so that a later sandbox of the same workspace finds what an
/// earlier one made; without a directory it remembers within this sandbox only. Thread-safe.
class Registry {
  public:
    /// `file` may be empty.
    explicit Registry(std::string file);

    void add_unix(const UnixSocketId& id);
    bool has_unix(const UnixSocketId& id);
    void add_abstract(const std::string& name, std::uint64_t socket_inode);
    bool has_abstract(const std::string& name, std::uint64_t socket_inode);
    /// `socket_inode` is st_ino of the bound socket, as /proc/net/tcp shows it.
    void add_internet(std::uint64_t socket_inode, BoundTo how);
    /// Whether a socket with that inode was bound inside; `how` is filled in then.
    bool has_internet(std::uint64_t socket_inode, BoundTo& how);

  private:
    void append(const std::string& line);
    void reload();

    std::string file_;
    std::mutex lock_;
    std::unordered_map<std::string, char> known_;
    off_t read_until_ = 0;
};

}  // namespace linux_backend
