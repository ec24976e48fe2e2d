// Parses ignore files as git parses gitignore, and looks them up from the root down.
#include "policy/ignore.h"

#include <algorithm>
#include <utility>

namespace policy {

namespace {

constexpr std::size_t largest_file = 1 << 20;
constexpr std::size_t longest_line = 4096;

// Cuts trailing spaces that no backslash protects.
std::string_view trim(std::string_view line) {
    std::size_t keep = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '\\' && at + 1 < line.size())
            keep = ++at + 1;
        else if (line[at] == '\\')
            return line;
        else if (line[at] != ' ')
            keep = at + 1;
    }
    return line.substr(0, keep);
}

std::string_view last_component(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

IgnoreFile::IgnoreFile(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::uint32_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        line = line.substr(0, line.find('\0'));
        if (line.starts_with('#')) continue;
        if (line.ends_with('\r')) line.remove_suffix(1);
        line = trim(line);
        if (!line.empty()) add(line, number);
    }
}

void IgnoreFile::add(std::string_view written, std::uint32_t number) {
    if (written.size() > longest_line) {
        overlong_ = true;
        return;
    }
    Line line;
    line.number = number;
    line.text = written;
    std::string_view pattern = written;
    if (pattern.starts_with('!')) {
        line.negated = true;
        pattern.remove_prefix(1);
    }
    if (pattern.ends_with('/')) {
        line.directories_only = true;
        pattern.remove_suffix(1);
    }
    line.base_name = pattern.find('/') == std::string_view::npos;
    if (pattern.starts_with('/')) pattern.remove_prefix(1);
    if (pattern.empty()) return;
    const std::size_t plain = std::min(pattern.find_first_of("*?[\\"), pattern.size());
    if (plain < pattern.size()) {
        // What follows the literal beginning is a glob of its own, as in git; one that cannot be
        // read matches nothing.
        const std::size_t from = line.base_name ? 0 : plain;
        Glob::Problem problem;
        line.glob = Glob::compile(pattern.substr(from), Glob::Slash::separator, problem);
        if (!line.glob) return;
        line.literal = pattern.substr(0, from);
    } else {
        line.literal = pattern;
    }
    lines_.push_back(std::move(line));
}

bool IgnoreFile::matches(const Line& line, std::string_view path, std::string_view base_name) {
    const std::string_view subject = line.base_name ? base_name : path;
    if (!line.glob) return subject == line.literal;
    return subject.starts_with(line.literal) &&
           line.glob->matches(subject.substr(line.literal.size()));
}

IgnoreFile::Match IgnoreFile::match(std::string_view path, Tree::Kind kind) const {
    const std::string_view base_name = last_component(path);
    const bool directory = kind == Tree::Kind::directory || kind == Tree::Kind::absent;
    for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
        if (line->directories_only && !directory) continue;
        if (!matches(*line, path, base_name)) continue;
        // What may become a directory is not re-included by a line for directories only.
        if (line->negated && line->directories_only && kind == Tree::Kind::absent) continue;
        return {line->negated ? Verdict::included : Verdict::ignored, line->number, line->text};
    }
    return {};
}

namespace {

// The ignore files of one directory between the root and the path.
struct Layer {
    std::size_t begin;  // where paths relative to it begin in the path relative to the root
    std::string name;   // of the ignore file, relative to the root
    IgnoreFile file;
};

// Reads the ignore files of the directory that ends at `end` of `path`; says so when one cannot be
// obeyed.
std::optional<Ignored> add_layers(const Tree& tree, std::string_view root,
                                  std::string_view directory, std::vector<Layer>& layers) {
    for (auto name = std::rbegin(ignore_file_names); name != std::rend(ignore_file_names); ++name) {
        std::string relative(directory);
        if (!relative.empty()) relative += '/';
        relative += *name;
        const std::string full = std::string(root) + "/" + relative;
        const std::optional<std::string> text = tree.content(full, largest_file);
        if (!text) {
            if (tree.kind(full) == Tree::Kind::absent) continue;
            return Ignored{relative + " cannot be read, so all beside it is out of reach"};
        }
        IgnoreFile file(*text);
        if (file.overlong())
            return Ignored{relative +
                           " has lines above 4096 bytes, so all beside it is out of reach"};
        layers.push_back(
            {directory.empty() ? 0 : directory.size() + 1, std::move(relative), std::move(file)});
    }
    return std::nullopt;
}

}  // namespace

std::optional<Ignored> find_ignored(const Tree& tree, std::string_view root,
                                    std::string_view path) {
    if (root == "/") root = {};
    if (path.size() <= root.size() + 1 || !path.starts_with(root) || path[root.size()] != '/')
        return std::nullopt;
    const std::string_view relative = path.substr(root.size() + 1);
    std::vector<Layer> layers;
    for (std::size_t begin = 0; begin <= relative.size();) {
        const std::string_view directory = relative.substr(0, begin == 0 ? 0 : begin - 1);
        const std::size_t end = std::min(relative.find('/', begin), relative.size());
        if (auto broken = add_layers(tree, root, directory, layers)) return broken;
        const std::string_view part = relative.substr(0, end);
        std::optional<Tree::Kind> kind;
        if (end < relative.size()) kind = Tree::Kind::directory;
        for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
            if (!kind) kind = tree.kind(path);
            const IgnoreFile::Match match = layer->file.match(part.substr(layer->begin), *kind);
            if (match.verdict == IgnoreFile::Verdict::undecided) continue;
            if (match.verdict == IgnoreFile::Verdict::included) break;
            return Ignored{layer->name + ":" + std::to_string(match.line) + ": " +
                           std::string(match.text)};
        }
        begin = end + 1;
    }
    return std::nullopt;
}

}  // namespace policy
