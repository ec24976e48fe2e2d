// The registry's file: one line per socket, "BOOT KEY VALUE", appended by single writes.
#include "linux/broker/registry.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>

namespace linux_backend {
namespace {

/// No sane workspace comes near; what does not fit is remembered within this sandbox.
constexpr off_t file_limit = off_t{16} << 20;
constexpr char bound_names[] = {'a', 'l'};  // In the order of BoundTo.

std::string this_boot() {
    const os::Fd fd(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
    std::array<char, 64> text;
    const ssize_t size = fd ? ::read(fd.get(), text.data(), text.size()) : 0;
    std::string boot(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return boot.substr(0, boot.find('\n'));
}

std::string unix_key(const UnixSocketId& id) {
    char text[80];
    std::snprintf(text, sizeof text, "u%" PRIx64 ":%" PRIx64 ":%" PRIx64, id.device, id.inode,
                  id.birth_nanoseconds);
    return text;
}

std::string abstract_key(const std::string& name, std::uint64_t inode) {
    std::string key = "@" + std::to_string(inode) + ":";
    for (const char byte : name) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(byte));
        key += digits;
    }
    return key;
}

std::string internet_key(std::uint64_t inode) {
    return "i" + std::to_string(inode);
}

}  // namespace

Registry::Registry(std::string file, std::string boot)
    : boot_(boot.empty() ? this_boot() : std::move(boot)) {
    // Without a boot id an entry could name another boot's socket: then nothing is shared.
    if (!file.empty() && !boot_.empty()) open(file);
}

void Registry::open(const std::string& file) {
    os::Fd fd(::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    struct stat status;
    if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    if (::flock(fd.get(), LOCK_EX) != 0) return;
    std::string start(boot_.size(), '\0');
    const ssize_t size = ::pread(fd.get(), start.data(), start.size(), 0);
    const bool other_boot = size > 0 && start.substr(0, static_cast<std::size_t>(size)) != boot_;
    const bool usable = !other_boot || ::ftruncate(fd.get(), 0) == 0;
    ::flock(fd.get(), LOCK_UN);
    if (usable) file_ = std::move(fd);
}

void Registry::add_unix(const UnixSocketId& id) {
    add(unix_key(id), '-');
}
bool Registry::has_unix(const UnixSocketId& id) {
    return has(unix_key(id));
}

void Registry::add_abstract(const std::string& name, std::uint64_t socket_inode) {
    add(abstract_key(name, socket_inode), '-');
}
bool Registry::has_abstract(const std::string& name, std::uint64_t socket_inode) {
    return has(abstract_key(name, socket_inode));
}

void Registry::add_internet(std::uint64_t socket_inode, BoundTo how) {
    add(internet_key(socket_inode), bound_names[static_cast<int>(how)]);
}

bool Registry::has_internet(std::uint64_t socket_inode, BoundTo& how) {
    char value = bound_names[0];
    if (!has(internet_key(socket_inode), &value)) return false;
    how = value == bound_names[1] ? BoundTo::loopback : BoundTo::address;
    return true;
}

void Registry::add(const std::string& key, char value) {
    const std::scoped_lock hold(lock_);
    const auto [entry, is_new] = known_.try_emplace(key, value);
    if (!is_new && entry->second == value) return;
    entry->second = value;
    append(key, value);
}

bool Registry::has(const std::string& key, char* value) {
    const std::scoped_lock hold(lock_);
    auto entry = known_.find(key);
    if (entry == known_.end()) {
        reload();
        entry = known_.find(key);
    }
    if (entry == known_.end()) return false;
    if (value != nullptr) *value = entry->second;
    return true;
}

void Registry::append(const std::string& key, char value) {
    struct stat status;
    if (!file_ || ::fstat(file_.get(), &status) != 0 || status.st_size > file_limit) return;
    const std::string line = boot_ + " " + key + " " + value + "\n";
    // A disk that is full costs only the sandboxes that come later their knowledge of this socket.
    [[maybe_unused]] const ssize_t written = ::write(file_.get(), line.data(), line.size());
}

void Registry::reload() {
    if (!file_) return;
    std::string text;
    std::array<char, 16384> buffer;
    for (;;) {
        const ssize_t size = ::pread(file_.get(), buffer.data(), buffer.size(),
                                     read_until_ + static_cast<off_t>(text.size()));
        if (size <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(size));
        if (static_cast<off_t>(text.size()) > 2 * file_limit) break;
    }
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        take(std::string_view(text).substr(begin, end - begin));
    read_until_ += static_cast<off_t>(begin);
}

void Registry::take(std::string_view line) {
    const std::size_t prefix = boot_.size() + 1;
    if (line.size() < prefix + 3 || line.substr(0, boot_.size()) != boot_) return;
    const std::string_view rest = line.substr(prefix);
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos || space + 2 != rest.size()) return;
    known_.insert_or_assign(std::string(rest.substr(0, space)), rest.back());
}

}  // namespace linux_backend
