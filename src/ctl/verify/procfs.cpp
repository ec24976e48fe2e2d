// What /proc tells of processes.
#include "ctl/verify/procfs.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "os/fd.h"

namespace ctl::verify {
namespace {

std::string directory_of(pid_t process) {
    return "/proc/" + std::to_string(process) + "/";
}

}  // namespace

std::string content_of_kernel_file(const std::string& path) {
    const os::Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    char buffer[4096];
    ssize_t count;
    while (file && (count = read(file.get(), buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<std::size_t>(count));
    return text;
}

std::vector<std::string> descriptor_links(pid_t process) {
    std::vector<std::string> links;
    std::error_code ignored;
    for (const auto& entry :
         std::filesystem::directory_iterator(directory_of(process) + "fd", ignored))
        links.push_back(std::filesystem::read_symlink(entry.path(), ignored).string());
    return links;
}

std::string link_of(pid_t process, std::string_view name) {
    std::error_code ignored;
    return std::filesystem::read_symlink(directory_of(process) + std::string(name), ignored)
        .string();
}

std::string status_field(pid_t process, std::string_view name) {
    const std::string text = "\n" + content_of_kernel_file(directory_of(process) + "status");
    const std::string start = "\n" + std::string(name) + ":\t";
    const std::size_t at = text.find(start);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + start.size();
    return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace ctl::verify
