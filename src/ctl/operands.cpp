// Which accesses a command line makes plain by its words.
#include "ctl/operands.h"

#include <algorithm>
#include <optional>

#include "command/outline.h"

namespace ctl {
namespace {

using policy::Access;

/// What a program does with the files that its operands name.
struct Program {
    std::string_view name;
    Access operands;
    Access last;                 ///< The last operand, when there are at least two.
    unsigned skipped = 0;        ///< Operands at the front that are no files: a mode, a pattern.
    std::string_view flag = {};  ///< Only with this option ("-i"); empty: always.
};

constexpr Program programs[] = {
    {"cat", Access::read, Access::read},
    {"head", Access::read, Access::read},
    {"tail", Access::read, Access::read},
    {"less", Access::read, Access::read},
    {"more", Access::read, Access::read},
    {"wc", Access::read, Access::read},
    {"sort", Access::read, Access::read},
    {"uniq", Access::read, Access::read},
    {"diff", Access::read, Access::read},
    {"cmp", Access::read, Access::read},
    {"md5sum", Access::read, Access::read},
    {"sha256sum", Access::read, Access::read},
    {"base64", Access::read, Access::read},
    {"xxd", Access::read, Access::read},
    {"od", Access::read, Access::read},
    {"strings", Access::read, Access::read},
    {"file", Access::read, Access::read},
    {"ls", Access::read, Access::read},
    {"source", Access::read, Access::read},
    {".", Access::read, Access::read},
    {"grep", Access::read, Access::read, 1},
    {"rg", Access::read, Access::read, 1},
    {"sed", Access::write, Access::write, 1, "-i"},
    {"sed", Access::read, Access::read, 1},
    {"awk", Access::read, Access::read, 1},
    {"cp", Access::read, Access::write},
    {"mv", Access::write, Access::write},
    {"ln", Access::read, Access::write},
    {"install", Access::read, Access::write},
    {"rm", Access::write, Access::write},
    {"rmdir", Access::write, Access::write},
    {"unlink", Access::write, Access::write},
    {"mkdir", Access::write, Access::write},
    {"touch", Access::write, Access::write},
    {"truncate", Access::write, Access::write},
    {"tee", Access::write, Access::write},
    {"mkfifo", Access::write, Access::write},
    {"shred", Access::write, Access::write},
    {"chmod", Access::write, Access::write, 1},
    {"chown", Access::write, Access::write, 1},
    {"chgrp", Access::write, Access::write, 1},
};

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

bool is_globbed(std::string_view text) {
    return text.find_first_of("*?[{") != std::string_view::npos;
}

/// The path that a word such as ~/x, $HOME/x or "${HOME}/x" stands for; nothing for other words.
std::optional<std::string> below_home(std::string_view word, const std::string& home) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,@%";
    const bool quoted = word.size() > 2 && word.front() == '"' && word.back() == '"';
    if (quoted) word = word.substr(1, word.size() - 2);
    for (const std::string_view name :
         {std::string_view("~"), std::string_view("$HOME"), std::string_view("${HOME}")}) {
        if (!word.starts_with(name) || (quoted && name == "~")) continue;
        const std::string_view rest = word.substr(name.size());
        const bool known = rest.empty() || (rest[0] == '/' && rest.find_first_not_of(plain) ==
                                                                  std::string_view::npos);
        if (known) return home + std::string(rest);
    }
    return std::nullopt;
}

class Reader {
  public:
    Reader(std::string_view text, const std::string& current, const std::string& home)
        : text_(text), directory_(current), home_(home) {}

    PlainAccesses read() {
        const command::Outline outline = command::outline(text_);
        auto redirection = outline.redirections.begin();
        for (const command::SimpleCommand& simple : outline.commands) {
            for (; redirection != outline.redirections.end() &&
                   redirection->span.begin < simple.span.begin;
                 ++redirection) {
                read_redirection(*redirection);
            }
            read_command(simple);
        }
        for (; redirection != outline.redirections.end(); ++redirection)
            read_redirection(*redirection);
        return std::move(result_);
    }

  private:
    std::string part(core::Span span) const {
        return std::string(text_.substr(span.begin, span.size()));
    }

    std::optional<std::string> value(const command::Argument& argument) const {
        if (argument.value) return argument.value;
        return below_home(text_.substr(argument.span.begin, argument.span.size()), home_);
    }

    void add(core::Span span, Access access, std::string path) {
        result_.found.push_back({part(span), access, std::move(path), directory_});
    }

    void read_redirection(const command::RedirectionSite& site) {
        if (site.heredoc || site.op == "<<<") return;
        const bool duplicates = site.op == "<&" || site.op == ">&";
        const auto target = value(site.target);
        if (!target) {
            result_.unknown.push_back(part(site.span));
            return;
        }
        const bool number = target->find_first_not_of("0123456789-") == std::string::npos;
        if (duplicates && (number || site.op == "<&")) return;
        add(site.span, site.op == "<" ? Access::read : Access::write, *target);
    }

    void read_command(const command::SimpleCommand& simple) {
        if (simple.words.empty()) return;
        if (!simple.words[0].value) {
            result_.unknown.push_back(part(simple.span));
            return;
        }
        const std::string& name = *simple.words[0].value;
        if (name == "cd") return change_directory(simple);
        if (name.find('/') != std::string::npos) add(simple.span, Access::execute, name);
        if (const Program* program = find(name, simple)) {
            read_operands(simple, *program);
        } else if (std::any_of(simple.words.begin() + 1, simple.words.end(),
                               [](const command::Argument& word) {
                                   return !word.value || !word.value->starts_with('-');
                               })) {
            result_.unknown.push_back(part(simple.span));
        }
    }

    static const Program* find(std::string_view name, const command::SimpleCommand& simple) {
        for (const Program& program : programs) {
            if (program.name != base_name(name)) continue;
            const auto given = [&](const command::Argument& word) {
                return word.value && word.value->starts_with(program.flag);
            };
            if (program.flag.empty() ||
                std::any_of(simple.words.begin(), simple.words.end(), given))
                return &program;
        }
        return nullptr;
    }

    void change_directory(const command::SimpleCommand& simple) {
        std::optional<std::string> target =
            simple.words.size() == 1 ? home_ : value(simple.words[1]);
        if (!target || target->starts_with('-')) {
            result_.unknown.push_back(part(simple.span));
            return;
        }
        directory_ = target->starts_with('/') ? *target : directory_ + "/" + *target;
    }

    void read_operands(const command::SimpleCommand& simple, const Program& program) {
        std::vector<const command::Argument*> operands;
        bool options_end = false;
        for (auto word = simple.words.begin() + 1; word != simple.words.end(); ++word) {
            if (!options_end && word->value == "--") {
                options_end = true;
            } else if (options_end || !word->value || !word->value->starts_with('-') ||
                       word->value->size() == 1) {
                operands.push_back(&*word);
            }
        }
        bool all_plain = true;
        for (std::size_t i = program.skipped; i < operands.size(); ++i) {
            const auto path = value(*operands[i]);
            const bool last = i + 1 == operands.size() && operands.size() - program.skipped > 1;
            if (path == "-") continue;
            if (path && !is_globbed(*path)) {
                add(simple.span, last ? program.last : program.operands, *path);
            } else {
                all_plain = false;
            }
        }
        if (!all_plain) result_.unknown.push_back(part(simple.span));
    }

    std::string_view text_;
    std::string directory_;
    const std::string& home_;
    PlainAccesses result_;
};

}  // namespace

PlainAccesses plain_accesses(std::string_view text, const std::string& current,
                             const std::string& home) {
    return Reader(text, current, home).read();
}

}  // namespace ctl
