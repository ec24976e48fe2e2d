// Programs started to be watched.
#pragma once

#include <signal.h>

#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "ctl/verify/effect.h"
#include "launch/environment.h"

namespace ctl::verify {

/// While it lives, signals that ask this process to end only end what is run, and are remembered.
class Interruption {
  public:
    Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    ~Interruption();

    /// The signal that came; 0: none.
    static int signal();
};

struct Launch {
    std::string program;             ///< A path.
    std::vector<std::string> words;  ///< Its argv.
    launch::Environment environment;
    std::string directory;
    int terminal = -1;  ///< Its standard input and controlling terminal; -1: a pipe.
};

/// Runs it to its end. Where it waits to be looked at, `look` is called once, with what was seen up
/// to then. What takes longer than 20 seconds, or is interrupted, is killed. An Error when it could
/// not be started.
core::Result<Seen> run(const Launch& launch, const std::function<void(const Seen&)>& look);

}  // namespace ctl::verify
