// The decision on device nodes.
#include "linux/broker/device_node.h"

#include <cerrno>

#include "linux/broker/broker.h"
#include "linux/broker/call.h"

namespace linux_backend {

bool is_device_node(const struct stat& status) {
    return S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
}

std::optional<Answer> refuse_device_node(const Call& call, const std::string& path,
                                         const struct stat& status, const char* operation) {
    if (!is_device_node(status)) return std::nullopt;
    const std::size_t slash = path.rfind('/');
    const std::string directory =
        slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
    const policy::Decision decision =
        call.broker().policy().decide(policy::Access::write, directory, {}, call.broker().tree());
    if (decision.allowed()) return std::nullopt;
    return call.refuse(
        decision, Attempt{policy::Access::write, operation, path, {"--write", directory}}, EACCES);
}

}  // namespace linux_backend
