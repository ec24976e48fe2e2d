// The system calls that sequences are made of: one row per call.
#pragma once

#include <span>
#include <string_view>

namespace differential {

/// What a call may do to what it names; the guard lets only `reads` touch devices.
enum class Effect : unsigned char { reads, changes };

/// What the returned number is.
enum class Returns : unsigned char { value, descriptor };

/// One system call. `arguments` has one letter per argument of the text form, in the order of the
/// kernel's arguments:
///
///   d  descriptor of the directory where the next path begins    f  descriptor to act on
///   p  path                             q  path that is likely free
///   y  path that is likely a directory  t  text of a symbolic link
///   o  O_*          m  mode             M  mode with a type      v  device number
///   u  unlinkat's   r  renameat2's      k  linkat's              a  AT_* of metadata calls
///   R  R_OK, …      e  faccessat2's     F  XATTR_*               h  SEEK_*
///   U  user id      G  group id         g  list of groups: number and address
///   L  length       N  descriptor number  D  flags of dup3
///                          i  file status flags for F_SETFL
///   T  two times with nanoseconds       V  with microseconds     W  in seconds
///   x  name of an attribute             b  bytes: address and size   X  struct xattr_args: address
///   and size B  buffer to fill: address and size                          S  struct stat to fill
///   H  struct open_how: address and size                         A  sockaddr_un: address and
///   length w  RLIMIT_*     l  struct rlimit C  capabilities to drop, as bits: header and sets 0
///   the constant 0, and 4  the constant F_SETFL
/// 0, 4, B and S are not in the text.
struct CallRow {
    std::string_view name;
    long number;
    std::string_view arguments;
    unsigned weight;  ///< How often it is chosen, against the others.
    Effect effect = Effect::reads;
    Returns returns = Returns::value;
};

std::span<const CallRow> call_table();

/// Null when there is none of that name.
const CallRow* find_call(std::string_view name);

}  // namespace differential
