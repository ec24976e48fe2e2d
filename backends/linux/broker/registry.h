// Sockets made inside, remembered for all sandboxes of the same workspace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "os/fd.h"

namespace linux_backend {

/// Identity of a unix socket's file. The birth time tells a new socket from one whose inode number
/// was used before.
struct UnixSocketId {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t birth_nanoseconds = 0;
};

/// What an internet socket made inside is bound to.
enum class BoundTo : std::uint8_t {
    address,   ///< The address it asked for.
    loopback,  ///< All addresses, but on the loopback interface only: no packet to another one
               ///< arrives.
};

/// Appends to one file under the workspace's state directory, so that a later sandbox of the same
/// workspace finds what an earlier one made; without a directory, or with one that cannot be
/// written, it remembers within this sandbox only. Entries of an earlier boot are void, since the
/// numbers of sockets begin anew: the file is emptied then. Thread-safe.
class Registry {
  public:
    /// `file` may be empty. `boot` tells boots apart; empty reads the kernel's id of this one.
    explicit Registry(std::string file, std::string boot = {});

    void add_unix(const UnixSocketId& id);
    bool has_unix(const UnixSocketId& id);
    /// `name` may hold any byte.
    void add_abstract(const std::string& name, std::uint64_t socket_inode);
    bool has_abstract(const std::string& name, std::uint64_t socket_inode);
    /// `socket_inode` is st_ino of the bound socket, as /proc/net/tcp shows it.
    void add_internet(std::uint64_t socket_inode, BoundTo how);
    /// Whether a socket with that inode was bound inside; `how` is filled in then.
    bool has_internet(std::uint64_t socket_inode, BoundTo& how);

  private:
    void add(const std::string& key, char value);
    bool has(const std::string& key, char* value = nullptr);
    void open(const std::string& file);
    void append(const std::string& key, char value);
    void reload();
    void take(std::string_view line);

    std::string boot_;
    std::mutex lock_;
    os::Fd file_;
    std::unordered_map<std::string, char> known_;
    off_t read_until_ = 0;
};

}  // namespace linux_backend
