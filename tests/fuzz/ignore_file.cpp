// Ignore files: a path, a NUL, the file.
#include "policy/ignore.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [path, file] = fuzz::halves(fuzz::text(data, size));
    const policy::IgnoreFile ignore(file);
    for (const auto kind : {policy::Tree::Kind::file, policy::Tree::Kind::directory}) {
        const auto match = ignore.match(path, kind);
        fuzz::require(
            (match.verdict == policy::IgnoreFile::Verdict::undecided) == (match.line == 0),
            "a verdict has its line");
    }
    return 0;
}
