// Matching denials with the commands and redirections of a command line.
#include "report/locate.h"

#include <algorithm>
#include <array>
#include <vector>

namespace report {

namespace {

using command::Argument;
using command::RedirectionSite;
using command::SimpleCommand;

std::string_view base_name(std::string_view path) {
    while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
    return path.substr(path.rfind('/') + 1);
}

bool is_shell(std::string_view program) {
    static constexpr std::array<std::string_view, 6> shells{"bash", "sh",  "dash",
                                                            "zsh",  "ksh", "busybox"};
    const std::string_view name = base_name(program);
    return std::find(shells.begin(), shells.end(), name) != shells.end();
}

/// Whether a redirection by `op` asks for `access`.
bool asks_for(std::string_view op, std::string_view access) {
    const bool both = op == "<>";
    const bool input = op == "<" || both;
    const bool output = op.find('>') != std::string_view::npos;
    if (access == "read") return input;
    if (access == "write") return output;
    return access == "connect" && (input || output);
}

enum class Fit { none, name, exact };

/// Whether `word` names `object`: exactly, or at least its last component.
Fit names(const Argument& word, std::string_view object, std::string_view cwd) {
    const std::string& text = word.value ? *word.value : word.tail;
    if (text.empty()) return Fit::none;
    if (word.value && object == lexical(text, cwd)) return Fit::exact;
    const bool whole_name = !word.expands || text.find('/') != std::string::npos;
    const bool same =
        whole_name && base_name(text) == base_name(object) && base_name(object) != "/";
    return same ? Fit::name : Fit::none;
}

/// Whether `word` is bash's /dev/tcp/HOST/PORT for an object like "HOST:PORT (tcp)".
Fit names_endpoint(const Argument& word, std::string_view object) {
    const std::string& text = word.value ? *word.value : word.tail;
    for (const std::string_view protocol : {"tcp", "udp"}) {
        const std::string prefix = "/dev/" + std::string(protocol) + "/";
        if (text.rfind(prefix, 0) != 0) continue;
        const std::string_view rest = std::string_view(text).substr(prefix.size());
        const std::size_t slash = rest.rfind('/');
        if (slash == std::string_view::npos) return Fit::none;
        const std::string port =
            ":" + std::string(rest.substr(slash + 1)) + " (" + std::string(protocol) + ")";
        if (object == std::string(rest.substr(0, slash)) + port) return Fit::exact;
        return object.size() > port.size() && object.substr(object.size() - port.size()) == port
                   ? Fit::name
                   : Fit::none;
    }
    return Fit::none;
}

bool within(core::Span inner, core::Span outer) {
    return inner.begin >= outer.begin && inner.end <= outer.end && inner != outer;
}

/// How well the arguments after `first` agree with `argv` after its program: 0 to 50, or less than
/// 0 where one contradicts.
int agreement(const SimpleCommand& command, std::size_t first,
              const std::vector<std::string>& argv) {
    int known = 0;
    int found = 0;
    std::size_t at = 1;
    for (std::size_t i = first + 1; i < command.words.size(); ++i) {
        if (!command.words[i].value) continue;
        ++known;
        const auto begin = argv.begin() + static_cast<std::ptrdiff_t>(std::min(at, argv.size()));
        const auto same = std::find(begin, argv.end(), *command.words[i].value);
        if (same == argv.end()) continue;
        ++found;
        at = static_cast<std::size_t>(same - argv.begin()) + 1;
    }
    if (known == 0) return command.words.size() == first + 1 && argv.size() > 1 ? 0 : 20;
    return found == known ? 50 : found * 40 / known - 10;
}

/// The names that a process may have been called by on the command line, the surest first.
std::vector<std::string_view> names_of(const Process& process) {
    std::vector<std::string_view> out;
    if (!process.argv.empty()) {
        std::string_view typed = process.argv[0];
        typed = typed.substr(0, typed.find(' '));
        if (typed.rfind('-', 0) == 0) typed.remove_prefix(1);
        out.push_back(base_name(typed));
    }
    out.push_back(base_name(process.program));
    // A script is run by its interpreter: "node /usr/bin/npm install".
    for (std::size_t i = 1; i < process.argv.size() && i < 4; ++i) {
        if (process.argv[i].empty() || process.argv[i][0] == '-') continue;
        out.push_back(base_name(process.argv[i]));
        break;
    }
    return out;
}

/// How well `command` explains `process`; 0 when not at all.
int score(const SimpleCommand& command, const Process& process, const Denial& denial,
          std::string_view cwd) {
    const std::vector<std::string_view> called = names_of(process);
    int best = 0;
    for (std::size_t i = 0; i < command.words.size(); ++i) {
        const Argument& word = command.words[i];
        const std::string_view name = base_name(word.value ? *word.value : word.tail);
        for (std::size_t n = 0; n < called.size(); ++n) {
            if (name.empty() || name != called[n]) continue;
            const int first = i == 0 ? (n < 2 ? 100 : 80) : (n < 2 ? 40 : 0);
            if (first > 0) best = std::max(best, first + agreement(command, i, process.argv));
        }
    }
    if (best == 0) return 0;
    for (const Argument& word : command.words) {
        if (names(word, denial.object, cwd) == Fit::exact) return best + 15;
    }
    return best;
}

const SimpleCommand* best_command(const CommandLine& line, const Process& process,
                                  const Denial& denial, const SimpleCommand* inside) {
    const SimpleCommand* best = nullptr;
    int best_score = 0;
    for (const SimpleCommand& command : line.outline.commands) {
        if (inside != nullptr && !within(command.span, inside->span)) continue;
        const int points = score(command, process, denial, line.cwd);
        if (points > best_score) {
            best = &command;
            best_score = points;
        }
    }
    return best;
}

const RedirectionSite* best_redirection(const CommandLine& line, const Denial& denial,
                                        const SimpleCommand* inside) {
    const RedirectionSite* best = nullptr;
    Fit best_fit = Fit::none;
    for (const RedirectionSite& site : line.outline.redirections) {
        if (inside != nullptr && !within(site.span, inside->span)) continue;
        if (site.heredoc || !asks_for(site.op, denial.access)) continue;
        const Fit fit = denial.access == "connect" ? names_endpoint(site.target, denial.object)
                                                   : names(site.target, denial.object, line.cwd);
        if (fit > best_fit) {
            best = &site;
            best_fit = fit;
        }
    }
    return best;
}

/// The smallest command around `span` that stands as it runs.
const SimpleCommand* enclosing(const CommandLine& line, core::Span span) {
    const SimpleCommand* best = nullptr;
    for (const SimpleCommand& command : line.outline.commands) {
        const bool around = command.span.begin <= span.begin && span.end <= command.span.end;
        if (around && command.verbatim &&
            (best == nullptr || command.span.size() <= best->span.size())) {
            best = &command;
        }
    }
    return best;
}

Location at_redirection(const CommandLine& line, const RedirectionSite& site) {
    Location location{Location::Kind::redirection, site.span, {}, false};
    const SimpleCommand* const command = enclosing(line, site.span);
    const bool of_simple = command != nullptr && within(site.owner, command->span);
    if (command != nullptr && (of_simple || site.owner == command->span)) {
        location.rerun = {command->span.begin, command->end};
    } else {
        location.rerun = site.owner;
    }
    return location;
}

Location at_command(const CommandLine& line, const SimpleCommand& command, const Denial& denial) {
    Location location{Location::Kind::command, command.span, {}, false};
    const SimpleCommand* const typed = command.verbatim ? &command : enclosing(line, command.span);
    if (typed != nullptr) {
        location.rerun = {typed->span.begin, typed->end};
        location.program =
            !typed->assigns && !typed->redirects && !(denial.by_shell && typed == &command);
    }
    return location;
}

/// A builtin command of the shell that names the object: `source`, `cd`, `kill`.
const SimpleCommand* builtin(const CommandLine& line, const Denial& denial) {
    for (const SimpleCommand& command : line.outline.commands) {
        for (std::size_t i = 1; i < command.words.size(); ++i) {
            const Argument& word = command.words[i];
            const bool process = denial.access == "signal" && word.value &&
                                 command.words[0].value == "kill" &&
                                 denial.object.rfind("process " + *word.value + " ", 0) == 0;
            if (process ||
                (denial.access != "signal" && names(word, denial.object, line.cwd) == Fit::exact)) {
                return &command;
            }
        }
    }
    return nullptr;
}

}  // namespace

std::string lexical(std::string_view path, std::string_view cwd) {
    std::string out;
    if (path.rfind('/', 0) != 0) {
        if (cwd.empty()) return {};
        out = cwd == "/" ? std::string_view() : cwd;
    }
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        const std::string_view part = path.substr(at, end - at);
        at = end + 1;
        if (part == "..") {
            const std::size_t slash = out.rfind('/');
            out.resize(slash == std::string::npos ? 0 : slash);
        } else if (!part.empty() && part != ".") {
            out += '/';
            out += part;
        }
    }
    return out.empty() ? "/" : out;
}

Location locate(const CommandLine& line, const Denial& denial) {
    if (denial.by_shell) {
        if (const RedirectionSite* const site = best_redirection(line, denial, nullptr)) {
            return at_redirection(line, *site);
        }
        const SimpleCommand* const command = builtin(line, denial);
        return command != nullptr ? at_command(line, *command, denial) : Location{};
    }
    std::vector<const Process*> chain;
    for (auto each = denial.between.rbegin(); each != denial.between.rend(); ++each)
        chain.push_back(&*each);
    chain.push_back(&denial.process);
    const SimpleCommand* command = nullptr;
    for (const Process* const process : chain) {
        if (const SimpleCommand* const inner = best_command(line, *process, denial, command))
            command = inner;
    }
    if (command == nullptr) return {};
    if (is_shell(denial.process.program)) {
        if (const RedirectionSite* const site = best_redirection(line, denial, command)) {
            return at_redirection(line, *site);
        }
    }
    return at_command(line, *command, denial);
}

bool has_unknown_redirection(const CommandLine& line, const Denial& denial) {
    return std::any_of(line.outline.redirections.begin(), line.outline.redirections.end(),
                       [&](const RedirectionSite& site) {
                           return !site.target.value && !site.heredoc &&
                                  asks_for(site.op, denial.access);
                       });
}

}  // namespace report
