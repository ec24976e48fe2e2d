// A directory of its own for one test, and programs run in it.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace scratch {

/// A new directory, removed with all in it at the end; its path is canonical.
class Directory {
  public:
    Directory() {
        char name[] = "/tmp/sbxsh-test-XXXXXX";
        path_ = std::filesystem::canonical(mkdtemp(name)).string();
    }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    ~Directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::string& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

    /// Makes a directory with its parents.
    std::string make(const std::string& name) const {
        std::filesystem::create_directories(*this / name);
        return *this / name;
    }

    /// Writes a file, making its parents.
    std::string write(const std::string& name, const std::string& text) const {
        const std::string file = *this / name;
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }

  private:
    std::string path_;
};

/// What a program wrote to its standard output, and how it ended.
struct Run {
    std::string output;
    int status = -1;  ///< As from waitpid.
};

/// Runs `arguments` by PATH with the text `input` as standard input, standard error on /dev/null
/// and no environment but PATH and a HOME that does not exist; `argv0` replaces the name that the
/// program sees, when given.
inline Run run(std::vector<std::string> arguments, const std::string& input = "",
               const std::string& argv0 = "") {
    const Directory directory;
    const std::string in = directory.write("in", input), out = directory / "out";
    const pid_t child = fork();
    if (child == 0) {
        std::vector<char*> argv;
        const std::string program = arguments[0];
        if (!argv0.empty()) arguments[0] = argv0;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        std::string path = "PATH=/usr/bin:/bin", home = "HOME=/nonexistent",
                    git = "GIT_CONFIG_GLOBAL=/dev/null";
        char* environment[] = {path.data(), home.data(), git.data(), nullptr};
        const int input_descriptor = open(in.c_str(), O_RDONLY);
        const int output_descriptor = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int error_descriptor = open("/dev/null", O_WRONLY);
        dup2(input_descriptor, 0);
        dup2(output_descriptor, 1);
        dup2(error_descriptor, 2);
        alarm(20);
        execvpe(program.c_str(), argv.data(), environment);
        _exit(127);
    }
    Run result;
    waitpid(child, &result.status, 0);
    std::ifstream file(out, std::ios::binary);
    result.output.assign(std::istreambuf_iterator<char>(file), {});
    return result;
}

}  // namespace scratch
