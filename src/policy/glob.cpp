// Compiles globs to tokens and runs them as a nondeterministic automaton over the set of reachable
// tokens.
#include "policy/glob.h"

#include <array>
#include <utility>

namespace policy {

namespace {

constexpr std::size_t longest_glob = 4096;

struct Class {
    std::string_view name;
    bool (*holds)(unsigned char);
};

bool is_digit(unsigned char c) {
    return c >= '0' && c <= '9';
}
bool is_lower(unsigned char c) {
    return c >= 'a' && c <= 'z';
}
bool is_upper(unsigned char c) {
    return c >= 'A' && c <= 'Z';
}
bool is_alpha(unsigned char c) {
    return is_lower(c) || is_upper(c);
}
bool is_graph(unsigned char c) {
    return c > ' ' && c < 127;
}

constexpr std::array<Class, 12> classes{{
    {"alnum", [](unsigned char c) { return is_alpha(c) || is_digit(c); }},
    {"alpha", is_alpha},
    {"blank", [](unsigned char c) { return c == ' ' || c == '\t'; }},
    {"cntrl", [](unsigned char c) { return c < ' ' || c == 127; }},
    {"digit", is_digit},
    {"graph", is_graph},
    {"lower", is_lower},
    {"print", [](unsigned char c) { return is_graph(c) || c == ' '; }},
    {"punct", [](unsigned char c) { return is_graph(c) && !is_alpha(c) && !is_digit(c); }},
    {"space", [](unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }},
    {"upper", is_upper},
    {"xdigit",
     [](unsigned char c) {
         return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
     }},
}};

// Sets of token positions: one word where the glob is short, else a bit vector.
class WordSet {
  public:
    bool add(std::size_t at) {
        const std::uint64_t bit = std::uint64_t{1} << at;
        const bool fresh = (bits_ & bit) == 0;
        bits_ |= bit;
        return fresh;
    }
    bool has(std::size_t at) const { return (bits_ >> at & 1) != 0; }
    void clear() { bits_ = 0; }

  private:
    std::uint64_t bits_ = 0;
};

class VectorSet {
  public:
    explicit VectorSet(std::size_t size) : bits_(size) {}
    bool add(std::size_t at) {
        const bool fresh = !bits_[at];
        bits_[at] = true;
        return fresh;
    }
    bool has(std::size_t at) const { return bits_[at]; }
    void clear() { bits_.assign(bits_.size(), false); }

  private:
    std::vector<bool> bits_;
};

}  // namespace

class GlobCompiler {
  public:
    GlobCompiler(std::string_view text, Glob::Slash slash, Glob::Problem& problem)
        : text_(text), problem_(problem) {
        glob_.slash_ = slash;
    }

    std::optional<Glob> compile() {
        if (text_.size() > longest_glob) return fail(longest_glob, "longer than 4096 bytes");
        while (at_ < text_.size()) {
            if (!token()) return std::nullopt;
        }
        return std::move(glob_);
    }

  private:
    using Kind = Glob::Kind;

    std::nullopt_t fail(std::size_t offset, std::string what) {
        problem_ = {offset, std::move(what)};
        return std::nullopt;
    }
    void emit(Kind kind, unsigned char byte = 0, std::size_t set = 0) {
        glob_.tokens_.push_back({kind, byte, static_cast<std::uint16_t>(set)});
    }

    bool token() {
        const char c = text_[at_];
        if (c == '*') return stars(), true;
        if (c == '[') return set();
        if (c == '?') return ++at_, emit(Kind::one), true;
        if (c == '\\' && ++at_ == text_.size()) return fail(at_ - 1, "'\\' at the end"), false;
        emit(Kind::byte, static_cast<unsigned char>(text_[at_++]));
        return true;
    }

    void stars() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] == '*') ++at_;
        const bool opens = begin == 0 || text_[begin - 1] == '/';
        const bool closes = at_ == text_.size() || text_[at_] == '/';
        if (glob_.slash_ == Glob::Slash::ordinary) {
            emit(Kind::stars);
        } else if (at_ - begin < 2 || !opens || !closes) {
            emit(Kind::star);
        } else if (at_ == text_.size()) {
            emit(Kind::stars);
        } else {
            ++at_;
            emit(Kind::directories);
            emit(Kind::within);
        }
    }

    bool set() {
        const std::size_t open = at_++;
        std::bitset<256> members;
        const bool negated = at_ < text_.size() && (text_[at_] == '!' || text_[at_] == '^');
        if (negated) ++at_;
        int previous = -1;  // what a '-' would start its range at
        for (bool first = true; first || peek() != ']'; first = false) {
            if (at_ >= text_.size()) return fail(open, "'[' is never closed"), false;
            if (text_.substr(at_).starts_with("[:") && named_class(members)) {
                if (!problem_.what.empty()) return false;
                previous = -1;
                continue;
            }
            if (previous >= 0 && text_[at_] == '-' && at_ + 1 < text_.size() &&
                text_[at_ + 1] != ']') {
                ++at_;
                const int last = literal();
                for (int byte = previous; byte <= last; ++byte)
                    members.set(static_cast<std::size_t>(byte));
                previous = -1;
                continue;
            }
            previous = literal();
            if (previous >= 0) members.set(static_cast<std::size_t>(previous));
        }
        ++at_;
        if (negated) members.flip();
        glob_.sets_.push_back(members);
        emit(Kind::set, 0, glob_.sets_.size() - 1);
        return true;
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    int literal() {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        return static_cast<unsigned char>(text_[at_++]);
    }

    // Reads "[:name:]" at the current place; false where it is none and '[' stands for itself.
    bool named_class(std::bitset<256>& members) {
        const std::size_t end = text_.find(']', at_ + 2);
        if (end == std::string_view::npos || end < at_ + 3 || text_[end - 1] != ':') return false;
        const std::string_view name = text_.substr(at_ + 2, end - at_ - 3);
        for (const Class& known : classes) {
            if (known.name != name) continue;
            for (unsigned byte = 0; byte < 256; ++byte) {
                if (known.holds(static_cast<unsigned char>(byte))) members.set(byte);
            }
            at_ = end + 1;
            return true;
        }
        problem_ = {at_, "unknown character class '" + std::string(name) + "'"};
        return true;
    }

    std::string_view text_;
    Glob::Problem& problem_;
    std::size_t at_ = 0;
    Glob glob_;
};

std::optional<Glob> Glob::compile(std::string_view text, Slash slash, Problem& problem) {
    problem = {};
    return GlobCompiler(text, slash, problem).compile();
}

bool Glob::reads(const Token& token, unsigned char byte) const {
    const bool separator = byte == '/' && slash_ == Slash::separator;
    switch (token.kind) {
        case Kind::byte:
            return token.byte == byte;
        case Kind::one:
        case Kind::star:
            return !separator;
        case Kind::set:
            return !separator && sets_[token.set].test(byte);
        case Kind::stars:
        case Kind::within:
            return true;
        case Kind::directories:
            return false;
    }
    return false;
}

template <class States>
bool Glob::run(std::string_view text, States& now, States& next) const {
    // Adds a position and all that are reachable from it without reading a byte.
    const auto reach = [this](States& states, std::size_t at) {
        for (;; ++at) {
            if (!states.add(at) || at == tokens_.size()) return;
            const Kind kind = tokens_[at].kind;
            if (kind == Kind::directories)
                states.add(at + 1), ++at;
            else if (kind != Kind::star && kind != Kind::stars)
                return;
        }
    };
    reach(now, 0);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        bool alive = false;
        for (std::size_t at = 0; at < tokens_.size(); ++at) {
            if (!now.has(at)) continue;
            if (!reads(tokens_[at], byte)) continue;
            const Kind kind = tokens_[at].kind;
            alive = true;
            if (kind == Kind::within) {
                next.add(at);
                if (c == '/') reach(next, at + 1);
            } else {
                reach(next, kind == Kind::star || kind == Kind::stars ? at : at + 1);
            }
        }
        if (!alive) return false;
        std::swap(now, next);
        next.clear();
    }
    return now.has(tokens_.size());
}

bool Glob::matches(std::string_view text) const {
    if (tokens_.size() < 64) {
        WordSet now;
        WordSet next;
        return run(text, now, next);
    }
    VectorSet now(tokens_.size() + 1);
    VectorSet next(tokens_.size() + 1);
    return run(text, now, next);
}

bool is_plain(std::string_view text) {
    for (const char c : text) {
        if (c == '*' || c == '?' || c == '[' || c == '\\') return false;
    }
    return true;
}

std::string escape_glob(std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        if (std::string_view("*?[]\\{},").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

}  // namespace policy
