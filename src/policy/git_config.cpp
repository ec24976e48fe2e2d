// The reader follows git's own (config.c) state by state, so that no text means one thing here and
// another there.
#include "policy/git_config.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "policy/git_keys.h"
#include "policy/git_values.h"

namespace policy {
namespace {

// git's own character classes do not depend on the locale.
bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_key_character(char c) {
    return is_alpha(c) || (c >= '0' && c <= '9') || c == '-';
}
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    core::Result<std::vector<GitSetting>> read() {
        if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
        while (true) {
            const char c = next();
            if (at_end_) return std::move(settings_);
            if (is_space(c)) continue;
            if (c == '#' || c == ';') {
                skip_comment();
            } else if (c == '[') {
                if (!read_section()) return failure("bad section header");
            } else if (!is_alpha(c)) {
                return failure("neither a section nor a variable");
            } else if (!read_variable(c)) {
                return failure("bad variable or value");
            }
        }
    }

  private:
    // One character, "\r\n" as "\n"; at the end of the text "\n", as git has it.
    char next() {
        if (position_ == text_.size()) {
            at_end_ = true;
            return '\n';
        }
        char c = text_[position_++];
        if (c == '\r' && position_ < text_.size() && text_[position_] == '\n') {
            c = '\n';
            ++position_;
        }
        if (c == '\n') ++line_;
        return c;
    }

    void skip_comment() {
        while (next() != '\n') continue;
    }

    bool read_section() {
        section_.clear();
        while (true) {
            const char c = next();
            if (at_end_) return false;
            if (c == ']') break;
            if (is_space(c)) {
                if (!read_subsection(c)) return false;
                break;
            }
            if (!is_key_character(c) && c != '.') return false;
            section_ += lower(c);
        }
        if (section_.empty()) return false;
        section_ += '.';
        return true;
    }

    bool read_subsection(char c) {
        do {
            if (c == '\n') return false;
            c = next();
        } while (is_space(c));
        if (c != '"') return false;
        section_ += '.';
        while (true) {
            c = next();
            if (c == '\n') return false;
            if (c == '"') break;
            if (c == '\\') {
                c = next();
                if (c == '\n') return false;
            }
            section_ += c;
        }
        return next() == ']';
    }

    bool read_variable(char first) {
        std::string key = section_;
        key += lower(first);
        char c = next();
        for (; !at_end_ && is_key_character(c); c = next()) key += lower(c);
        while (c == ' ' || c == '\t') c = next();
        std::string value = "true";
        if (c != '\n') {
            if (c != '=') return false;
            std::optional<std::string> text = read_value();
            if (!text) return false;
            value = std::move(*text);
        }
        settings_.push_back({std::move(key), std::move(value)});
        return true;
    }

    std::optional<std::string> read_value() {
        std::string value;
        std::size_t blanks = 0;
        bool quoted = false;
        while (true) {
            char c = next();
            if (c == '\n') return quoted ? std::nullopt : std::make_optional(value);
            if (is_space(c) && !quoted) {
                if (!value.empty()) ++blanks;
                continue;
            }
            if (!quoted && (c == ';' || c == '#')) {
                skip_comment();
                return value;
            }
            value.append(blanks, ' ');
            blanks = 0;
            if (c == '"') {
                quoted = !quoted;
            } else if (c != '\\') {
                value += c;
            } else if (!read_escape(value)) {
                return std::nullopt;
            }
        }
    }

    bool read_escape(std::string& value) {
        const char c = next();
        switch (c) {
            case '\n':
                return true;
            case 't':
                value += '\t';
                return true;
            case 'b':
                value += '\b';
                return true;
            case 'n':
                value += '\n';
                return true;
            case '\\':
            case '"':
                value += c;
                return true;
            default:
                return false;
        }
    }

    tl::unexpected<core::Error> failure(const char* why) const {
        core::Error error;
        error.operation = "read as git configuration";
        error.object = "line " + std::to_string(line_);
        error.detail = why;
        return core::fail(std::move(error));
    }

    std::string_view text_;
    std::size_t position_ = 0;
    std::size_t line_ = 1;
    bool at_end_ = false;
    std::string section_;
    std::vector<GitSetting> settings_;
};

using Values = std::map<std::string_view, std::vector<std::string_view>>;

Values by_key(const std::vector<GitSetting>& settings) {
    Values values;
    for (const GitSetting& setting : settings) values[setting.key].push_back(setting.value);
    return values;
}

bool is_one_of(std::string_view word, std::string_view list) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

bool are_plain_git_urls(std::string_view list) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find_first_of(" \t\n"), list.size());
        if (end > 0 && !is_plain_git_url(list.substr(0, end))) return false;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return true;
}

bool is_harmless_value(const GitKeyRule& rule, std::string_view value, std::string_view base,
                       std::string_view workspace) {
    switch (rule.kind) {
        case GitKeyKind::unknown:
        case GitKeyKind::unsafe:
            return false;
        case GitKeyKind::data:
            return true;
        case GitKeyKind::choice:
            return is_one_of(value, rule.choices);
        case GitKeyKind::url:
            return is_plain_git_url(value);
        case GitKeyKind::urls:
            return are_plain_git_urls(value);
        case GitKeyKind::path:
            return is_git_path_inside(value, workspace);
        case GitKeyKind::worktree:
            return is_git_worktree_inside(value, base, workspace);
    }
    return false;
}

// git hands subsection names to commands of its own (a remote's name to "git fetch") and makes
// paths of them (a submodule's name).
bool is_harmless_subsection(std::string_view key) {
    const std::size_t first = key.find('.');
    const std::size_t last = key.rfind('.');
    if (first == last) return true;
    std::string_view name = key.substr(first + 1, last - first - 1);
    if (name.starts_with('-')) return false;
    if (key.substr(0, first) != "submodule") return true;
    while (true) {
        const std::size_t end = name.find_first_of("/\\");
        if (name.substr(0, end) == "..") return false;
        if (end == std::string_view::npos) return true;
        name.remove_prefix(end + 1);
    }
}

// '*' any text, '?' one character; linear but for the last '*', to which it returns.
bool matches_glob(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

// Keys come with section and variable in lower case; people write "core.hooksPath".
std::string normalised(std::string_view glob) {
    std::string result(glob);
    const std::size_t first = std::min(glob.find('.'), glob.size());
    const std::size_t last = glob.rfind('.') == std::string_view::npos ? 0 : glob.rfind('.');
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (i < first || i > last) result[i] = lower(result[i]);
    }
    return result;
}

}  // namespace

core::Result<std::vector<GitSetting>> parse_git_config(std::string_view text) {
    core::Error error;
    error.operation = "read as git configuration";
    if (text.size() > git_config_limit) {
        error.detail = "longer than " + std::to_string(git_config_limit) + " bytes";
        return core::fail(std::move(error));
    }
    if (text.find('\0') != std::string_view::npos) {
        error.detail = "has a NUL byte";
        return core::fail(std::move(error));
    }
    return Reader(text).read();
}

std::vector<std::string> unsafe_git_changes(const std::vector<GitSetting>& before,
                                            const std::vector<GitSetting>& after,
                                            const std::vector<std::string>& extra,
                                            std::string_view base, std::string_view workspace) {
    std::vector<std::string> allowed;
    for (const std::string& glob : extra) allowed.push_back(normalised(glob));
    const Values old_values = by_key(before);
    const Values new_values = by_key(after);

    std::set<std::string_view> changed;
    for (const auto& [key, values] : old_values) {
        const auto now = new_values.find(key);
        if (now == new_values.end() || now->second != values) changed.insert(key);
    }
    for (const auto& [key, values] : new_values) {
        if (!old_values.contains(key)) changed.insert(key);
    }

    std::vector<std::string> unsafe;
    for (const std::string_view key : changed) {
        if (std::any_of(allowed.begin(), allowed.end(),
                        [&](const std::string& glob) { return matches_glob(glob, key); })) {
            continue;
        }
        const GitKeyRule rule = git_key_rule(key);
        bool harmless = rule.kind != GitKeyKind::unknown && rule.kind != GitKeyKind::unsafe &&
                        is_harmless_subsection(key);
        if (const auto now = new_values.find(key); harmless && now != new_values.end()) {
            harmless = std::all_of(now->second.begin(), now->second.end(), [&](std::string_view v) {
                return is_harmless_value(rule, v, base, workspace);
            });
        }
        if (!harmless) unsafe.emplace_back(key);
    }
    return unsafe;
}

}  // namespace policy
