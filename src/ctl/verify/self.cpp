// Where the programs of this installation are.
#include "ctl/verify/self.h"

#include <unistd.h>

#include <filesystem>

namespace ctl::verify {

const std::string& own_program() {
    static const std::string path = [] {
        std::error_code ignored;
        return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
    }();
    return path;
}

core::Result<std::string> find_sbxsh() {
    const std::string directory = own_program().substr(0, own_program().rfind('/'));
    for (const char* place : {"/sbxsh", "/../front/sbxsh"}) {
        std::error_code failed;
        const auto path = std::filesystem::canonical(directory + place, failed);
        if (!failed && access(path.c_str(), X_OK) == 0) return path.string();
    }
    return core::fail(core::Error{"find its program", "the sandbox", 0,
                                  "there is no sbxsh in " + directory,
                                  "name it with --sbxsh PATH"});
}

}  // namespace ctl::verify
