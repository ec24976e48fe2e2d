// One glob: a text with `*`, `?`, `[...]` and `**`, compiled to a state machine that runs in linear
// time.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace policy {

/// A compiled glob over raw bytes, with the meaning that gitignore gives it: `*` and `?` stay
/// within one path component, `**` as a whole component crosses them, `[...]` knows ranges,
/// negation by `!` or `^` and POSIX classes,
/// `\` takes the next byte as it is. Immutable; matching allocates only for patterns of more than
/// 63 tokens.
class Glob {
  public:
    /// Why a text is no glob, and where: an offset into it.
    struct Problem {
        std::size_t offset = 0;
        std::string what;  ///< "'[' is never closed".
    };
    /// What `/` is to `*`, `?` and `[...]`.
    enum class Slash : std::uint8_t {
        separator,  ///< Matched only by itself and by `**`.
        ordinary,   ///< A byte like any other, as in the name of an abstract socket.
    };

    /// Compiles `text`; on failure fills `problem`. Texts above 4096 bytes are refused.
    static std::optional<Glob> compile(std::string_view text, Slash slash, Problem& problem);

    /// Whether the whole of `text` matches.
    bool matches(std::string_view text) const;

  private:
    enum class Kind : std::uint8_t { byte, one, set, star, stars, directories, within };
    struct Token {
        Kind kind;
        std::uint8_t byte;  // for Kind::byte
        std::uint16_t set;  // index into sets_ for Kind::set
    };
    friend class GlobCompiler;

    bool reads(const Token& token, unsigned char byte) const;
    template <class States>
    bool run(std::string_view text, States& now, States& next) const;

    std::vector<Token> tokens_;
    std::vector<std::bitset<256>> sets_;
    Slash slash_ = Slash::separator;
};

/// Whether `text` has none of the bytes that mean something in a glob.
bool is_plain(std::string_view text);

/// `text` with each byte that means something in a glob or a pattern preceded by a backslash.
std::string escape_glob(std::string_view text);

}  // namespace policy
