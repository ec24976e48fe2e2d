// Letter by letter.
#include "marshal.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace differential {
namespace {

constexpr std::size_t buffer_size = 4096;
constexpr long bad_address = 8;

bool is_pointer(char letter) {
    return std::string_view("pqytxbHATVWlgX").find(letter) != std::string_view::npos;
}

/// Pointers that come with a size after them.
bool has_size(char letter) {
    return letter == 'b' || letter == 'H' || letter == 'X' || letter == 'A';
}

}  // namespace

Marshalled::Marshalled(const Operation& operation) : number_(operation.row->number) {
    std::size_t next = 0;
    for (const char letter : operation.row->arguments) {
        if (letter == '0') {
            add(0);
        } else if (letter == '4') {
            add(F_SETFL);
        } else if (letter == 'B') {
            buffer_.resize(buffer_size);
            add_pointer(buffer_.data());
            add(buffer_size);
        } else if (letter == 'S') {
            has_status_ = true;
            add_pointer(&status_);
        } else {
            add_argument(letter, operation.arguments[next++]);
        }
    }
}

void Marshalled::add_argument(char letter, const Argument& argument) {
    using Kind = Argument::Kind;
    if (argument.kind == Kind::null || argument.kind == Kind::bad) {
        if (letter == 'g') add(argument.kind == Kind::null ? 0 : 1);
        add(argument.kind == Kind::null ? 0 : bad_address);
        if (letter == 'H')
            add(3 * sizeof(long));
        else if (has_size(letter))
            add(argument.kind == Kind::null ? 0 : 8);
        return;
    }
    if (letter == 'C') return add_capabilities(static_cast<unsigned long>(argument.number));
    if (letter == 'A') return add_address(argument);
    if (letter == 'X') return add_attribute(argument);
    if (argument.kind == Kind::text) {
        add_pointer(argument.text.c_str());
        if (letter == 'b') add(static_cast<long>(argument.text.size()));
        return;
    }
    if (is_pointer(letter)) return add_list(letter, argument);
    add(argument.number);
}

void Marshalled::add_list(char letter, const Argument& argument) {
    if (letter == 'g') {
        groups_.assign(argument.list.begin(), argument.list.end());
        add(static_cast<long>(groups_.size()));
        return add_pointer(groups_.data());
    }
    lists_.push_back(argument.list);
    lists_.back().resize(4);
    add_pointer(lists_.back().data());
    if (letter == 'H') add(3 * sizeof(long));
}

void Marshalled::add_address(const Argument& argument) {
    const std::size_t size = std::min(argument.text.size(), sizeof address_.sun_path);
    address_.sun_family = AF_UNIX;
    std::copy_n(argument.text.data(), size, address_.sun_path);
    add_pointer(&address_);
    const std::size_t end = size < sizeof address_.sun_path ? 1 : 0;
    add(static_cast<long>(offsetof(sockaddr_un, sun_path) + size + end));
}

void Marshalled::add_attribute(const Argument& argument) {
    attribute_.value = reinterpret_cast<unsigned long>(argument.text.data());
    attribute_.size = static_cast<unsigned>(argument.text.size());
    add_pointer(&attribute_);
    add(sizeof attribute_);
}

void Marshalled::add_capabilities(unsigned long dropped) {
    capability_header_ = {_LINUX_CAPABILITY_VERSION_3, 0};
    ::syscall(SYS_capget, &capability_header_, capabilities_.data());
    for (std::size_t i = 0; i < capabilities_.size(); ++i) {
        const auto bits = static_cast<__u32>(dropped >> (32 * i));
        capabilities_[i].effective &= ~bits;
        capabilities_[i].permitted &= ~bits;
        capabilities_[i].inheritable &= ~bits;
    }
    add_pointer(&capability_header_);
    add_pointer(capabilities_.data());
}

void Marshalled::set_nonblocking(const Operation& operation) {
    const std::string_view letters = operation.row->arguments;
    if (const std::size_t flags = letters.find('o'); flags != std::string_view::npos)
        values_[flags] |= O_NONBLOCK;
    else if (letters.find('H') != std::string_view::npos && !lists_.empty())
        lists_.front()[0] |= O_NONBLOCK;
    else
        number_ = -1;  // creat(2) has no flags: no such call then, on either side.
}

long Marshalled::make() {
    return ::syscall(number_, values_[0], values_[1], values_[2], values_[3], values_[4],
                     values_[5]);
}

}  // namespace differential
