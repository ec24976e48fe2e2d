// Compiles path patterns and follows paths through them.
#include "policy/pattern.h"

#include <algorithm>
#include <utility>

namespace policy {

namespace {

constexpr std::uint32_t dead = ~std::uint32_t{0};
constexpr std::size_t most_components = 62;
constexpr std::size_t longest_pattern = 4096;

std::string unescape(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) ++at;
        plain += text[at];
    }
    return plain;
}

bool has_wildcard(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '*' || text[at] == '?' || text[at] == '[')
            return true;
    }
    return false;
}

bool ends_in_lone_backslash(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size() && text[text.size() - 1 - count] == '\\') ++count;
    return count % 2 == 1;
}

}  // namespace

bool lies_within(std::string_view path, std::string_view directory) {
    if (directory.size() <= 1) return true;
    return path.starts_with(directory) &&
           (path.size() == directory.size() || path[directory.size()] == '/');
}

Pattern Pattern::literal(std::string path) {
    Pattern pattern;
    pattern.prefix_ = std::move(path);
    if (pattern.prefix_ == "/") pattern.prefix_.clear();
    return pattern;
}

Pattern Pattern::literal(std::string_view directory, std::string_view rest) {
    Pattern pattern;
    pattern.prefix_.reserve(directory.size() + rest.size());
    pattern.prefix_ += directory;
    pattern.prefix_ += rest;
    return pattern;
}

std::optional<Pattern> Pattern::compile(std::string_view text, Glob::Problem& problem) {
    problem = {};
    Pattern pattern;
    Components rest;
    std::size_t tail = 0;
    if (text.size() > longest_pattern) {
        problem = {longest_pattern, "longer than 4096 bytes"};
        return std::nullopt;
    }
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('/', at), text.size());
        const std::string_view component = text.substr(at, end - at);
        if (component == "..") {
            problem = {at, "'..' in a pattern"};
            return std::nullopt;
        }
        if (rest.empty()) tail = at;
        if (rest.capacity() == 0 && component.find_first_of("*?[") != std::string_view::npos)
            rest.reserve(1U +
                         static_cast<std::size_t>(std::count(
                             text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '/')));
        if (!component.empty() && component != "." && !pattern.add(component, rest, problem)) {
            problem.offset += at;
            return std::nullopt;
        }
        at = end + 1;
    }
    if (!rest.empty()) {
        if (rest.back().kind == Kind::globstar) rest.back().kind = Kind::any;
        pattern.tail_ =
            std::make_shared<const Tail>(Tail{std::move(rest), std::string(text.substr(tail))});
    }
    return pattern;
}

bool Pattern::add(std::string_view component, Components& rest, Glob::Problem& problem) {
    if (ends_in_lone_backslash(component)) {
        problem = {component.size() - 1, "'\\' at the end of a component"};
        return false;
    }
    if (!has_wildcard(component)) {
        std::string plain = unescape(component);
        if (rest.empty()) {
            prefix_ += '/';
            prefix_ += plain;
            return true;
        }
        rest.push_back({Kind::literal, std::move(plain), nullptr});
    } else if (component == "**") {
        if (rest.empty() || rest.back().kind != Kind::globstar)
            rest.push_back({Kind::globstar, {}, nullptr});
    } else if (component == "*") {
        rest.push_back({Kind::any, {}, nullptr});
    } else {
        std::optional<Glob> glob = Glob::compile(component, Glob::Slash::separator, problem);
        if (!glob) return false;
        rest.push_back({Kind::glob, {}, std::make_unique<const Glob>(std::move(*glob))});
    }
    if (rest.size() > most_components) {
        problem = {0, "more than 62 components"};
        return false;
    }
    return true;
}

bool Pattern::accepts(const Component& component, std::string_view name) {
    switch (component.kind) {
        case Kind::literal:
            return component.literal == name;
        case Kind::glob:
            return component.glob->matches(name);
        case Kind::any:
        case Kind::globstar:
            return true;
    }
    return true;
}

// `**` may stand for no component at all; what has matched stays matched.
std::uint64_t Pattern::closure(std::uint64_t states) const {
    if ((states & final()) != 0) return final();
    for (std::size_t at = 0; at < size(); ++at) {
        const std::uint64_t bit = std::uint64_t{1} << at;
        if ((states & bit) != 0 && tail_->components[at].kind == Kind::globstar) states |= bit << 1;
    }
    return states;
}

Pattern::State Pattern::advance(State from, std::string_view component) const {
    if (from.rest == 0) {
        if (from.prefix == dead) return from;
        const std::string_view left = std::string_view(prefix_).substr(from.prefix);
        if (!left.substr(1).starts_with(component)) return {dead, 0};
        const std::size_t used = component.size() + 1;
        if (left.size() == used) return {0, closure(1)};
        return left[used] == '/' ? State{static_cast<std::uint32_t>(from.prefix + used), 0}
                                 : State{dead, 0};
    }
    if ((from.rest & final()) != 0) return from;
    std::uint64_t next = 0;
    for (std::size_t at = 0; at < size(); ++at) {
        const std::uint64_t bit = std::uint64_t{1} << at;
        const Component& expected = tail_->components[at];
        if ((from.rest & bit) == 0 || !accepts(expected, component)) continue;
        next |= expected.kind == Kind::globstar ? bit : bit << 1;
    }
    return next == 0 ? State{dead, 0} : State{0, closure(next)};
}

Pattern::State Pattern::state(std::string_view path) const {
    if (path == "/") path = {};
    if (path.size() < prefix_.size()) {
        const bool leads =
            std::string_view(prefix_).starts_with(path) && prefix_[path.size()] == '/';
        return {leads ? static_cast<std::uint32_t>(path.size()) : dead, 0};
    }
    if (!lies_within(path, prefix_)) return {dead, 0};
    State state{0, closure(1)};
    for (std::size_t at = prefix_.size(); at < path.size() && state.prefix != dead;) {
        const std::size_t end = std::min(path.find('/', at + 1), path.size());
        state = advance(state, path.substr(at + 1, end - at - 1));
        if ((state.rest & final()) != 0) return state;
        at = end;
    }
    return state;
}

Pattern::Fit Pattern::fit(State state) const {
    if ((state.rest & final()) != 0) return Fit::match;
    return state.prefix == dead ? Fit::none : Fit::below;
}

bool Pattern::is_decidable() const {
    return is_literal() || (size() == 1 && tail_->components.front().kind == Kind::any);
}

std::string_view Pattern::key() const {
    for (std::size_t at = size(); at > 0; --at) {
        const Component& component = tail_->components[at - 1];
        if (component.kind == Kind::literal) return component.literal;
    }
    const std::size_t slash = prefix_.rfind('/');
    return slash == std::string::npos ? std::string_view{}
                                      : std::string_view(prefix_).substr(slash + 1);
}

std::string Pattern::text() const {
    return is_literal() ? prefix_ : prefix_ + "/" + tail_->text;
}

Pattern Pattern::below(std::string_view base) const {
    Pattern pattern;
    pattern.prefix_.reserve(base.size() + prefix_.size());
    pattern.prefix_ += base;
    pattern.prefix_ += prefix_;
    pattern.tail_ = tail_;
    return pattern;
}

std::optional<Pattern> Pattern::moved(std::string_view from, std::string_view to) const {
    if (!lies_within(prefix_, from) || from.size() <= 1) return std::nullopt;
    Pattern pattern;
    pattern.prefix_ = std::string(to) + prefix_.substr(from.size());
    pattern.tail_ = tail_;
    return pattern;
}

}  // namespace policy
