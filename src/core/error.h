// An error as a value: what was attempted, on what, why it failed, and what a person can do about
// it.
#pragma once

#include <string>

namespace core {

/// Describes one failed operation. Copyable plain data; building one allocates, so never after
/// fork.
struct Error {
    std::string operation;  ///< What was attempted, as a verb phrase: "open", "load policy".
    std::string object;     ///< What it was attempted on: a path, "file:line:column", an option.
    int code = 0;           ///< errno of the failure, 0 where none applies.
    std::string detail;     ///< Why, where errno does not say it: "unknown key 'alow'".
    std::string remedy;     ///< What the reader can do; empty when only programs read the error.

    /// One line for a person: "OBJECT: cannot OPERATION: DETAIL or strerror". The remedy is not
    /// part of it.
    std::string message() const;
};

/// An Error from `errno` as it stands.
Error system_error(std::string operation, std::string object);

}  // namespace core
