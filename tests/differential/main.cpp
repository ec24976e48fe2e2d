// Compares sequences of system calls inside the sandbox with the same ones without; HACKING.md
// tells how it is used.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "comparison.h"
#include "generate.h"
#include "operation.h"
#include "serve.h"
#include "side.h"

namespace differential {
namespace {

constexpr std::size_t sequence_length = 40;
constexpr int failures_shown = 40;

struct Options {
    std::string sbxsh;
    std::string at;       ///< An empty directory for the trees.
    std::string meant;    ///< File of the differences that are meant.
    std::string listing;  ///< File of sequences to run; none: generated ones.
    std::uint64_t seed = 1;
    long calls = 20'000;
    bool show = false;  ///< Print what each call returned without a sandbox.
};

/// A named sequence of a listing.
struct Listed {
    std::string name;
    std::vector<std::string> lines;
};

/// The sequences of a file: each begins with a line "= NAME".
std::vector<Listed> read_listing(const std::string& path) {
    std::ifstream file(path);
    std::vector<Listed> listed;
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("= ")) {
            listed.push_back({line.substr(2), {}});
        } else if (!line.empty() && line.front() != '#') {
            if (listed.empty()) listed.push_back({path, {}});
            listed.back().lines.push_back(line);
        }
    }
    return listed;
}

class Tester {
  public:
    explicit Tester(const Options& options, const std::vector<MeantDifference>& meant)
        : options_(options), meant_(meant) {}

    /// Starts both sides anew.
    bool start() {
        comparison_.reset();
        inside_.reset();
        without_.reset();
        const std::string self = executable();
        const std::string inside = options_.at + "/inside";
        const std::string without = options_.at + "/native";
        inside_ = std::make_unique<Side>(
            inside, std::vector<std::string>{options_.sbxsh, "-c", "exec \"$0\" serve \"$1\"", self,
                                             inside});
        if (!inside_->greeting()) return complain("the sandbox did not start");
        without_ = std::make_unique<Side>(
            without, std::vector<std::string>{self, "serve", without, *inside_->greeting()});
        if (!without_->greeting()) return complain("the performer did not start");
        if (*without_->greeting() != *inside_->greeting())
            return complain("the sides have different capabilities");
        comparison_ = std::make_unique<Comparison>(*without_, *inside_, meant_);
        return true;
    }

    /// Runs one sequence; what differs is shrunk and printed once for each kind.
    void run(const std::string& name, const std::vector<std::string>& lines) {
        ++sequences_;
        if (options_.show) show(name, lines);
        auto difference = comparison_->compare(lines);
        if (!difference) return;
        ++different_;
        const long before = kinds_[difference->signature()]++;
        if (difference->hangs) {
            print(name, *difference);
            running_ = start();
        } else if (before == 0 && static_cast<int>(kinds_.size()) <= failures_shown) {
            print(name, comparison_->shrink(std::move(*difference)));
        }
    }

    int report() const {
        if (comparison_)
            for (const auto& [entry, count] : comparison_->seen())
                std::printf("meant, %ld times: %s\n", count, entry->text.c_str());
        for (const auto& [kind, count] : kinds_)
            std::printf("not meant, in %ld sequences: %s\n", count, kind.c_str());
        std::printf("%ld passed, %ld failed\n", sequences_ - different_, different_);
        return different_ == 0 && sequences_ > 0 ? 0 : 1;
    }

    bool running() const { return running_; }

  private:
    static bool complain(const char* what) {
        std::printf("not ok - %s\n", what);
        return false;
    }

    static std::string executable() {
        char text[4096];
        const ssize_t size = ::readlink("/proc/self/exe", text, sizeof text);
        return std::string(text, size < 0 ? 0 : static_cast<std::size_t>(size));
    }

    void show(const std::string& name, const std::vector<std::string>& lines) {
        std::printf("# %s\n", name.c_str());
        const auto record = without_->run(lines);
        if (!record) return;
        for (std::size_t i = 0; i < record->results.size(); ++i)
            std::printf("  %s\n      %s\n", i < lines.size() ? lines[i].c_str() : "",
                        record->results[i].c_str());
        std::printf("%s", record->tree.c_str());
    }

    static void print(const std::string& name, const Difference& difference) {
        std::printf("not ok - %s\n", name.c_str());
        for (const std::string& line : difference.lines)
            std::printf("  %s %s\n", line == difference.where ? ">" : " ", line.c_str());
        std::printf("    without a sandbox: %s\n    inside:            %s\n",
                    difference.without.c_str(), difference.inside.c_str());
        std::fflush(stdout);
    }

    const Options& options_;
    const std::vector<MeantDifference>& meant_;
    std::unique_ptr<Side> inside_;
    std::unique_ptr<Side> without_;
    std::unique_ptr<Comparison> comparison_;
    std::map<std::string, long> kinds_;
    long sequences_ = 0;
    long different_ = 0;
    bool running_ = true;
};

int compare(const Options& options) {
    const auto meant = read_meant(options.meant);
    if (!meant) return 2;
    for (const char* side : {"/native", "/inside"})
        if (::mkdir((options.at + side).c_str(), 0755) != 0) {
            std::perror(options.at.c_str());
            return 2;
        }
    Tester tester(options, *meant);
    if (!tester.start()) {
        std::printf("0 passed, 1 failed\n");
        return 1;
    }
    if (!options.listing.empty()) {
        for (const Listed& listed : read_listing(options.listing))
            tester.run(listed.name, listed.lines);
    } else {
        const auto count = static_cast<std::uint64_t>(options.calls) / sequence_length;
        for (std::uint64_t i = 0; i < count && tester.running(); ++i)
            tester.run("seed " + std::to_string(options.seed + i),
                       generate(options.seed + i, sequence_length));
    }
    return tester.report();
}

int usage() {
    std::fputs(
        "usage: differential --sbxsh PROGRAM --at EMPTY-DIRECTORY --meant FILE\n"
        "                    [--seed N] [--calls N] [--listing FILE] [--show results]\n"
        "       differential generate SEED\n",
        stderr);
    return 2;
}

int run(int count, char** arguments) {
    if (count >= 3 && std::strcmp(arguments[1], "serve") == 0) {
        if (count == 4 && !keep_capabilities(std::strtoull(arguments[3], nullptr, 16))) return 1;
        return serve(arguments[2]);
    }
    if (count == 3 && std::strcmp(arguments[1], "generate") == 0) {
        for (const std::string& line :
             generate(std::strtoull(arguments[2], nullptr, 10), sequence_length))
            std::puts(line.c_str());
        return 0;
    }
    Options options;
    for (int i = 1; i < count; i += 2) {
        const std::string name = arguments[i];
        if (i + 1 == count) return usage();
        const char* value = arguments[i + 1];
        if (name == "--sbxsh")
            options.sbxsh = value;
        else if (name == "--at")
            options.at = value;
        else if (name == "--meant")
            options.meant = value;
        else if (name == "--listing")
            options.listing = value;
        else if (name == "--seed")
            options.seed = std::strtoull(value, nullptr, 10);
        else if (name == "--show")
            options.show = std::strcmp(value, "results") == 0;
        else if (name == "--calls")
            options.calls = std::strtol(value, nullptr, 10);
        else
            return usage();
    }
    if (options.sbxsh.empty() || options.at.empty() || options.meant.empty()) return usage();
    return compare(options);
}

}  // namespace
}  // namespace differential

int main(int count, char** arguments) {
    return differential::run(count, arguments);
}
