// sbxctl doctor --verify: tries on this very machine what the sandbox promises.
#pragma once

#include <string>
#include <vector>

#include "ctl/commands.h"

namespace ctl::verify {

enum class Form { text, json };

/// `words` are the arguments that are left: at most --sbxsh PATH. The exit status: 0 when all held,
/// 1 when something did not or no sandbox could be started, 2 for misuse.
int verify(const Request& request, std::vector<std::string> words, Form form);

}  // namespace ctl::verify
