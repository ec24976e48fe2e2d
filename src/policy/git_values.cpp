// Checks of git's values, by text alone.
#include "policy/git_values.h"

#include <algorithm>
#include <array>

namespace policy {
namespace {

bool is_scheme_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

bool has_control_character(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool is_native_scheme(std::string_view scheme) {
    constexpr std::array<std::string_view, 9> schemes = {
        "file", "ftp", "ftps", "git", "git+ssh", "http", "https", "ssh", "ssh+git"};
    return std::find(schemes.begin(), schemes.end(), scheme) != schemes.end();
}

bool has_git_part(std::string_view path) {
    while (!path.empty()) {
        const std::size_t end = path.find('/');
        if (path.substr(0, end) == ".git") return true;
        if (end == std::string_view::npos) break;
        path.remove_prefix(end + 1);
    }
    return false;
}

}  // namespace

std::string lexical_path(std::string_view base, std::string_view path) {
    if (base.empty() || base.front() != '/') return {};
    std::string result(path.starts_with('/') ? std::string_view() : base);
    while (result.ends_with('/')) result.pop_back();
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (part.empty() || part == ".") continue;
        if (part != "..") {
            result += '/';
            result += part;
            continue;
        }
        if (result.empty()) return {};
        result.erase(result.rfind('/'));
    }
    return result.empty() ? "/" : result;
}

bool is_within(std::string_view path, std::string_view directory) {
    if (directory.empty() || !path.starts_with(directory)) return false;
    return path.size() == directory.size() || directory == "/" || path[directory.size()] == '/';
}

bool is_plain_git_url(std::string_view url) {
    if (url.starts_with('-') || has_control_character(url)) return false;
    std::size_t end = 0;
    while (end < url.size() && is_scheme_character(url[end])) ++end;
    const std::string_view scheme = url.substr(0, end);
    const std::string_view rest = url.substr(end);
    if (rest.starts_with("::")) return false;
    if (!rest.starts_with("://")) return true;
    return is_native_scheme(scheme) && !rest.substr(3).starts_with('-');
}

bool is_git_worktree_inside(std::string_view value, std::string_view base,
                            std::string_view workspace) {
    if (value.empty()) return false;
    const std::string target = lexical_path(base, value);
    return is_within(target, workspace) && !is_within(target, base) && !has_git_part(target);
}

bool is_git_path_inside(std::string_view value, std::string_view workspace) {
    if (value.empty()) return true;
    if (value.front() == '~' || value.front() == '%' || value.front() == ':') return false;
    if (value.front() == '/') {
        const std::string target = lexical_path("/", value);
        return is_within(target, workspace) && !has_git_part(target);
    }
    // Any depth would do as a start: leaving it is what counts.
    const std::string target = lexical_path("/", value);
    return !target.empty() && !has_git_part(target);
}

}  // namespace policy
