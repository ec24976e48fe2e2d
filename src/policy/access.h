// What a rule can speak of: the kinds of access, and the objects that they are asked for.
#pragma once

#include <cstdint>
#include <string_view>

namespace policy {

/// The kind of access that a process asks for. One rule may name several.
enum class Access : std::uint8_t {
    read,          ///< Read a file's content, list a directory.
    write,         ///< Create, change, remove, rename, link a file, or change its metadata.
    execute,       ///< Run a file.
    connect,       ///< Reach an internet address.
    bind,          ///< Listen on, or send from, an internet address.
    unix_connect,  ///< Reach a unix socket (path, or abstract name with a leading '@').
    unix_bind,     ///< Make a unix socket.
    signal,        ///< Signal, or change the scheduling or limits of, a process.
    inspect,       ///< Trace a process or read its memory.
    ipc,           ///< Use a System V or POSIX message, semaphore or memory object.
    kernel,        ///< Use a call that reaches past the sandbox (mount, bpf, namespaces …).
};

/// The name used in policies, reports and JSON: "read", "unix-connect".
std::string_view name(Access access);

}  // namespace policy
