// A refusal as data: who asked for what, which rule refused it, and what would have to be granted.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace report {

/// A process as it was when it was refused something.
struct Process {
    pid_t pid = 0;
    std::string program;            ///< Path of its executable; empty when it could not be read.
    std::vector<std::string> argv;  ///< Its argument vector, as far as readable.
};

/// One refusal. All texts are raw bytes from the sandboxed side; only the renderers sanitise.
struct Denial {
    std::uint64_t sequence = 0;  ///< Order within the session, from 1.
    std::string access;          ///< policy::name of the access: "write".
    std::string operation;       ///< What was attempted, as the report's verb phrase: "write to",
                                 ///< "rename to", "connect to".
    std::string object;  ///< Canonical path, "address:port (tcp)", "process 123 (sshd)", call name.
    std::string call;    ///< Name of the system call: "openat".
    int error = 0;       ///< errno that the caller was answered.

    std::string rule;    ///< Stable id: "fs.write.outside-workspace".
    std::string origin;  ///< Where the rule stands: "built in", "/etc/sbxsh/policy.toml:12".
    std::string reason;  ///< The rule's reason; may be empty.
    std::string detail;  ///< What exactly was objected to, where the object does not say it:
                         ///< "core.fsmonitor".
    std::string note;    ///< A remark for the reader, e.g. that permissions would refuse it anyway;
                         ///< may be empty.
    std::vector<std::string>
        grant;  ///< Arguments of `elevate` that would allow it: {"--write", "/etc/hosts"}.

    Process process;  ///< Who was refused.
    std::vector<Process>
        between;  ///< Its ancestors up to, not including, the interpreter; nearest first.

    bool by_shell =
        false;  ///< Done by the interpreter itself or a fork of it that runs no other program.
    bool failed = false;  ///< The process, or one in `between`, ended with a status other than 0 or
                          ///< by a signal.
    bool likely = false;  ///< Inferred from a failed program's arguments, not seen.
};

}  // namespace report
