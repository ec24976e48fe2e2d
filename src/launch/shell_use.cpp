// An advisory reading of a shell's arguments.
#include "launch/shell_use.h"

#include <algorithm>
#include <array>

namespace launch {
namespace {

/// What the families' option parsers do differently.
struct Grammar {
    bool
        long_options_first;  ///< bash: long options, with one or two dashes, before all short ones.
    bool long_options_among;    ///< zsh: "--name" and "--NAME=VALUE" anywhere, an option of set -o.
    bool shopt;                 ///< bash: -O NAME.
    bool attached_option_name;  ///< zsh: -oNAME.
    bool b_ends_options;        ///< zsh.
    bool stdin_operands_keep_zero;  ///< zsh: with -s, operands start at $1 even beside -c.
    std::string_view letters;       ///< Single-letter options that are accepted besides c l s o O.
};

constexpr Grammar bash_grammar = {true, false, true, false, false, false, "abefhikmnprtuvxBCDEHPT"};
constexpr Grammar posix_grammar = {false, false, false, false, false, false, "abeEfIimnsuvVxC"};
/// Almost every letter and digit is an option of zsh.
constexpr Grammar zsh_grammar = {
    false, true, false, true, true, true, "0123456789abdefghikmnprtuvwxyBCDEFGHIJKLMNOPQRSTUVWXYZ"};

const Grammar& grammar(ShellFamily family) {
    switch (family) {
        case ShellFamily::bash:
            return bash_grammar;
        case ShellFamily::zsh:
            return zsh_grammar;
        case ShellFamily::posix:
            break;
    }
    return posix_grammar;
}

constexpr std::array<std::string_view, 14> bash_flags = {
    "debug",        "debugger",   "dump-po-strings", "dump-strings", "help",
    "login",        "noediting",  "noprofile",       "norc",         "posix",
    "pretty-print", "restricted", "verbose",         "version"};
constexpr std::array<std::string_view, 2> bash_flags_with_argument = {"rcfile", "init-file"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

/// One pass over the arguments; `index` is the next one to read.
class Reader {
  public:
    Reader(const Grammar& grammar, const std::vector<std::string>& arguments)
        : grammar_(grammar), arguments_(arguments) {}

    ShellUse read() {
        if (!arguments_.empty()) {
            use_.zero = arguments_[0];
            use_.login = use_.zero.starts_with('-');
        }
        if (grammar_.long_options_first) read_long_options();
        while (!done_ && index_ < arguments_.size() && is_option(arguments_[index_]))
            read_cluster();
        if (invalid_) {
            use_.input = ShellUse::Input::nothing;
        } else {
            read_operands();
        }
        return std::move(use_);
    }

  private:
    static bool is_option(const std::string& text) {
        return !text.empty() && (text[0] == '-' || text[0] == '+');
    }

    void read_long_options() {
        for (; index_ < arguments_.size(); ++index_) {
            std::string_view name = arguments_[index_];
            if (name.size() < 2 || name[0] != '-' || name == "--") return;
            const bool two_dashes = name[1] == '-';
            name.remove_prefix(two_dashes ? 2 : 1);
            if (contains(bash_flags_with_argument, name)) {
                if (++index_ >= arguments_.size()) invalid_ = true;
            } else if (contains(bash_flags, name)) {
                note_long_option(name);
            } else {
                invalid_ = invalid_ || two_dashes;
                return;
            }
        }
    }

    void note_long_option(std::string_view name) {
        if (name == "login") use_.login = true;
        if (name == "help" || name == "version") invalid_ = true;
    }

    void read_cluster() {
        const std::string& text = arguments_[index_++];
        if (text == "-" || text == "--" || (grammar_.b_ends_options && text == "+")) {
            done_ = true;
            return;
        }
        if (grammar_.long_options_among && text.starts_with("--")) {
            if (text == "--help" || text == "--version") invalid_ = true;
            if (text == "--emulate") ++index_;
            if (text == "--login") use_.login = true;
            return;
        }
        for (std::size_t i = 1; i < text.size() && !invalid_; ++i) {
            if (read_letter(text[0] == '-', text, i)) return;
        }
    }

    /// Returns true when the rest of the cluster has been read too.
    bool read_letter(bool on, const std::string& text, std::size_t i) {
        const char letter = text[i];
        switch (letter) {
            case 'c':
                command_ = true;
                return false;
            case 's':
                stdin_ = grammar_.stdin_operands_keep_zero ? on : true;
                return false;
            case 'l':
                use_.login = grammar_.long_options_first ? true : on;
                return false;
            case 'i':
                use_.interactive = on;
                return false;
            case 'o':
                if (grammar_.attached_option_name && i + 1 < text.size()) return true;
                if (index_ < arguments_.size()) ++index_;
                return grammar_.attached_option_name;
            case 'O':
                if (!grammar_.shopt) break;
                if (index_ < arguments_.size()) ++index_;
                return false;
            case 'b':
                if (!grammar_.b_ends_options) break;
                done_ = true;
                return false;
            default:
                break;
        }
        if (grammar_.letters.find(letter) == std::string_view::npos) invalid_ = true;
        return false;
    }

    void read_operands() {
        if (command_) {
            if (index_ >= arguments_.size()) {
                use_.input = ShellUse::Input::nothing;
                return;
            }
            use_.input = ShellUse::Input::command;
            use_.command = arguments_[index_++];
            if (index_ < arguments_.size() && !(stdin_ && grammar_.stdin_operands_keep_zero)) {
                use_.zero = arguments_[index_++];
            }
        } else if (index_ < arguments_.size() && !stdin_) {
            use_.input = ShellUse::Input::script;
            use_.script = use_.zero = arguments_[index_++];
        }
        use_.operands.assign(
            arguments_.begin() + static_cast<std::ptrdiff_t>(std::min(index_, arguments_.size())),
            arguments_.end());
    }

    const Grammar& grammar_;
    const std::vector<std::string>& arguments_;
    ShellUse use_;
    std::size_t index_ = 1;
    bool command_ = false;
    bool stdin_ = false;
    bool done_ = false;
    bool invalid_ = false;
};

}  // namespace

ShellFamily shell_family(std::string_view name) {
    if (name == "bash" || name == "rbash") return ShellFamily::bash;
    if (name == "zsh") return ShellFamily::zsh;
    return ShellFamily::posix;
}

ShellUse read_shell_arguments(ShellFamily family, const std::vector<std::string>& arguments) {
    return Reader(grammar(family), arguments).read();
}

}  // namespace launch
