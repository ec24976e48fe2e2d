// Help that can be followed as it stands.
#include "report/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/fingerprint.h"
#include "report/quote.h"
#include "report/sanitise.h"
#include "report/utf8.h"

namespace report {

namespace {

/// A command longer than this is not repeated in the help.
constexpr std::size_t max_command = 400;

std::string command_to_repeat(const Item& item, const Context& context, const CommandLine& line) {
    const Location& location = item.location;
    if (!location.rerun.empty()) {
        const std::string_view text = line.text.substr(location.rerun.begin, location.rerun.size());
        const bool one_line = text.find('\n') == std::string_view::npos;
        if (location.program && one_line && is_plain(text)) return std::string(text);
        return "sh -c " + shell_quote(text);
    }
    if (!context.command.empty()) return "sh -c " + shell_quote(context.command);
    const Denial& denial = *item.denial;
    if (denial.by_shell) return {};
    return shell_join((denial.between.empty() ? denial.process : denial.between.back()).argv);
}

/// `text` as a TOML string on one line.
std::string toml_string(std::string_view text) {
    std::string out = "\"";
    for (const Cell& cell : cells(text)) {
        const std::size_t at = cell.offset;
        if (text[at] == '"' || text[at] == '\\') {
            out += {'\\', text[at]};
        } else if (cell.changed) {
            out += fmt::format("\\U{:08X}", decode(text, at).code);
        } else {
            out += cell.text;
        }
    }
    return out + "\"";
}

/// The object of a rule for what was refused: without the protocol that reports add to an address.
std::string_view pattern(std::string_view object) {
    const std::size_t suffix = object.rfind(" (");
    return suffix == std::string_view::npos ? object : object.substr(0, suffix);
}

struct Flag {
    std::string_view flag;
    std::string_view access;
};
constexpr std::array flags{Flag{"--write", "write"}, Flag{"--read", "read"},
                           Flag{"--net", "connect"}, Flag{"--unix", "unix-connect"}};

/// "my.etc-hosts" for "/etc/hosts"; a long one ends in a number of its own, since two rules may not
/// have the same id.
std::string rule_id(std::string_view object) {
    constexpr std::size_t longest = 40;
    std::string out = "my.";
    bool cut = false;
    for (const char c : object) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool kept = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        if (kept) out += lower;
        if (!kept && out.back() != '-' && out.back() != '.') out += '-';
        cut = out.size() >= longest;
        if (cut) break;
    }
    while (out.back() == '-') out.pop_back();
    if (cut) {
        core::Fingerprint print;
        print.add(object);
        out += "-" + print.text().substr(0, 6);
    }
    return out == "my." ? "my.rule" : out;
}

/// Characters that a pattern gives a meaning, taken literally.
std::string literal_pattern(std::string_view path) {
    std::string out;
    for (const char c : path) {
        if (std::string_view("*?[]{}\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

bool is_default(std::string_view rule) {
    static constexpr std::string_view ending = ".default";
    return rule == "fs.write.outside-workspace" ||
           (rule.size() > ending.size() && rule.substr(rule.size() - ending.size()) == ending);
}

/// The access and the object that a rule would have to allow.
struct Wanted {
    std::string_view access;
    std::string object;
    bool possible = false;  ///< A rule can allow it.
};

Wanted wanted(const Denial& denial) {
    Wanted out{denial.access, denial.object, false};
    if (out.access == "connect" || out.access == "bind") out.object = pattern(denial.object);
    if (denial.grant.size() < 2) return out;
    out.possible = is_utf8(denial.grant[1]) && denial.grant[1].size() <= max_command;
    for (const Flag& each : flags) {
        if (each.flag != denial.grant[0]) continue;
        out.access = each.access;
        out.object = denial.grant[1];
    }
    return out;
}

/// Whether `name` can be a key of git's config, and is no other remark.
bool is_git_key(std::string_view name) {
    const std::size_t dot = name.find('.');
    return dot != 0 && dot != std::string_view::npos &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == dot;
}

/// "core.pager, core.editor" as a TOML array; empty when the list was cut short or holds no keys.
std::string toml_array(std::string_view list) {
    if (list.empty() || list.find(" and ") != std::string_view::npos) return {};
    std::string out = "[";
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(", "), list.size());
        if (!is_git_key(list.substr(0, end))) return {};
        out += (out.size() > 1 ? ", " : "") + toml_string(list.substr(0, end));
        list.remove_prefix(std::min(end + 2, list.size()));
    }
    return out + "]";
}

void write_rule(Remedy& out, const Denial& denial, const Wanted& what) {
    const bool is_path = what.access != "connect" && what.access != "bind";
    std::vector<std::string> lines{
        "id = " + toml_string(rule_id(what.object)), "access = " + toml_string(what.access),
        "allow = " + toml_string(is_path ? literal_pattern(what.object) : what.object)};
    if (!is_default(denial.rule)) lines.push_back("override = true");
    out.rule = "[[rule]]\n";
    for (const std::string& line : lines) out.rule += line + "\n";
}

Remedy by_policy(const Denial& denial, const Context& context) {
    Remedy out;
    const Wanted what = wanted(denial);
    out.explain = "sbxctl explain " + shell_quote(what.access) + " " + shell_quote(what.object);
    out.file = context.policy_file.empty() ? "~/.config/sbxsh/policy.toml" : context.policy_file;
    const bool own_rule = denial.origin.empty() || denial.origin == "built in";
    const std::string keys = denial.rule == "git.config" ? toml_array(denial.detail) : "";
    if (!own_rule) {
        out.kind = Remedy::Kind::change;
        out.place =
            denial.rule == "fs.ignored" && !denial.detail.empty() ? denial.detail : denial.origin;
    } else if (!keys.empty()) {
        out.kind = Remedy::Kind::policy;
        out.rule = "[git]\nallow-config = " + keys + "\n";
    } else if (what.possible) {
        out.kind = Remedy::Kind::policy;
        write_rule(out, denial, what);
    }
    return out;
}

}  // namespace

Remedy remedy(const Item& item, const Context& context, const CommandLine& line) {
    const Denial& denial = *item.denial;
    if (context.elevation == Elevation::absent) return by_policy(denial, context);
    Remedy out;
    if (denial.grant.empty()) return out;
    out.kind = Remedy::Kind::elevate;
    out.grant = denial.grant;
    out.command = "elevate " + shell_join(denial.grant) + " --";
    const std::string command = command_to_repeat(item, context, line);
    if (!command.empty() && command.size() <= max_command) out.command += " " + command;
    return out;
}

}  // namespace report
