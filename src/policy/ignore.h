// Ignore files: gitignore's syntax and meaning, in files of other names, whose matches are out of
// reach.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/glob.h"
#include "policy/tree.h"

namespace policy {

/// The names of ignore files, the one whose lines win first.
inline constexpr std::string_view ignore_file_names[] = {".sbxignore", ".cursorignore"};

/// One ignore file, parsed.
class IgnoreFile {
  public:
    enum class Verdict : std::uint8_t { undecided, ignored, included };
    struct Match {
        Verdict verdict = Verdict::undecided;
        std::uint32_t line = 0;  ///< From 1.
        std::string_view text;   ///< The line as written, of this object.
    };

    explicit IgnoreFile(std::string_view text);
    /// What the last matching line says of `path`, relative to the file's directory, without a
    /// leading slash.
    Match match(std::string_view path, Tree::Kind kind) const;
    /// Whether lines were too long to be understood: the file then cannot be trusted to have been
    /// obeyed.
    bool overlong() const { return overlong_; }

  private:
    struct Line {
        std::uint32_t number = 0;
        std::string text;     // as written
        std::string literal;  // what the path begins with (or is), before the first wildcard
        std::optional<Glob> glob;
        bool negated = false;
        bool directories_only = false;
        bool base_name = false;  // no slash: matches the last component at any depth
    };

    void add(std::string_view written, std::uint32_t number);
    static bool matches(const Line& line, std::string_view path, std::string_view base_name);

    std::vector<Line> lines_;
    bool overlong_ = false;
};

/// What ignores a path: "sub/.sbxignore:3: *.key", with the file relative to the root.
struct Ignored {
    std::string detail;
};

/// Whether an ignore file in `root` or a directory between it and `path` ignores `path` or a
/// directory above it, below `root`. A path that does not exist counts as file and as directory. An
/// ignore file that cannot be read or is above 1 MiB ignores all in its directory.
std::optional<Ignored> find_ignored(const Tree& tree, std::string_view root, std::string_view path);

}  // namespace policy
