// The process that performs sequences for one side, inside the sandbox or without one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace differential {

/// Messages on a pipe: a length of 8 bytes, then as many bytes. False or nothing at the end of it.
bool send_message(int descriptor, const std::string& text);
std::optional<std::string> receive_message(int descriptor);

/// Gives up all other capabilities, and the hope of gaining any, as a sandboxed process has.
bool keep_capabilities(std::uint64_t kept);

/// Serves standard input until it ends: a request is the lines of a sequence, the answer their
/// results with a NUL after each. The first message says which capabilities this process has, in
/// hexadecimal.
int serve(const std::string& top);

}  // namespace differential
