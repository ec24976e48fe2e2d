// What ps(1) shows for a process of ours.
#pragma once

namespace os {

/// Remembers where argv lies; call first in main.
void keep_title_space(int argc, char** argv);

/// Replaces the command line and the name that /proc shows of this process. Texts that do not fit
/// are cut. Without keep_title_space only the name changes. Callable after fork.
void set_title(const char* title);

}  // namespace os
