// What a policy permits and refuses, as data for a description.
#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"

namespace policy {

/// What holds under a policy. Pointers live as long as the Policy; patterns are expanded, as they
/// match.
struct Summary {
    /// A rule and what it speaks of.
    struct Entry {
        const Rule* rule = nullptr;
        std::vector<Access> accesses;
        std::vector<std::string> patterns;
        std::vector<std::string> excepts;
        bool overrides = false;  ///< Sets built-in refusals aside.
    };

    std::string workspace;  ///< Empty when there is none.
    ReadMode read_mode = ReadMode::fixed;
    bool ignore_files = false;  ///< Whether ignore files are obeyed because some are there.

    std::vector<Entry> unreadable;  ///< Refuse reading (and mostly writing too).
    std::vector<Entry> readable;    ///< Allow reading beyond the built-in refusals.
    std::vector<Entry> writable;    ///< Allow writing.
    std::vector<Entry> guarded;  ///< Refuse writing alone. Rules about git parts have no patterns.
    std::vector<Entry> executable;      ///< Speak of running programs.
    std::vector<Entry> network;         ///< Speak of connect and bind.
    std::vector<Entry> sockets;         ///< Speak of unix-connect and unix-bind.
    std::vector<Entry> processes;       ///< Speak of signal, inspect, ipc and kernel.
    std::vector<const Rule*> defaults;  ///< One for each access, in the order of the accesses.

    std::vector<std::string> removed_variables;  ///< Globs of names, in no order.
    std::vector<std::string>
        kept_variables;  ///< Globs of names that stay although a glob above matches.
};

}  // namespace policy
