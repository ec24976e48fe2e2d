// The battery: all effects that are tried.
#include "ctl/verify/battery.h"

namespace ctl::verify {

std::span<const Family> battery() {
    static const Family families[] = {
        {"files outside of what may be written", Kind::attack, file_effects()},
        {"their metadata", Kind::attack, metadata_effects()},
        {"secrets", Kind::attack, secret_effects()},
        {"what runs later by itself", Kind::attack, workspace_effects()},
        {"servers and sockets outside", Kind::attack, socket_effects()},
        {"the network", Kind::attack, listener_effects()},
        {"processes outside", Kind::attack, process_effects()},
        {"terminals", Kind::attack, terminal_effects()},
        {"messages and shared memory of others", Kind::attack, ipc_effects()},
        {"the kernel", Kind::attack, kernel_effects()},
        {"what must work", Kind::use, uses()},
    };
    return families;
}

}  // namespace ctl::verify
