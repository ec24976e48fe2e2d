// git's index, in which ignore files are looked for.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "launch/ignore_files.h"
#include "target.h"

namespace {

struct Repository {
    Repository() {
        char name[] = "/dev/shm/sbxsh-fuzz.XXXXXX";
        fuzz::require(::mkdtemp(name) != nullptr, "a directory can be made");
        path = name;
    }
    ~Repository() {
        ::unlink((path + "/index").c_str());
        ::rmdir(path.c_str());
    }
    std::string path;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Repository repository;
    const std::string index = repository.path + "/index";
    const int file = ::open(index.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz::require(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size),
                  "the index can be written");
    ::close(file);
    launch::has_ignore_files("/nonexistent", repository.path, "");
    return 0;
}
