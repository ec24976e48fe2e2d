// A walk over every span of a tree.
#include "command/remap.h"

namespace command {

namespace {

class Remap {
  public:
    Remap(const std::vector<std::uint32_t>& at, std::size_t end) : at_(at), end_(end) {}

    void operator()(Script& script) const {
        (*this)(script.span);
        for (Token& token : script.tokens) (*this)(token.span);
        for (Node& node : script.commands) (*this)(node);
        for (Heredoc& heredoc : script.heredocs) {
            (*this)(heredoc.span);
            heredoc.end = place(heredoc.end);
            (*this)(heredoc.body);
        }
    }

  private:
    std::size_t place(std::size_t offset) const { return offset < at_.size() ? at_[offset] : end_; }

    void operator()(core::Span& span) const { span = {place(span.begin), place(span.end)}; }

    void operator()(Part& part) const {
        (*this)(part.span);
        for (Part& inner : part.parts) (*this)(inner);
        for (Script& script : part.scripts) (*this)(script);
    }

    void operator()(Word& word) const {
        (*this)(word.span);
        for (Part& part : word.parts) (*this)(part);
        for (std::uint32_t& offset : word.literal.at)
            offset = static_cast<std::uint32_t>(place(offset));
    }

    void operator()(Node& node) const {
        (*this)(node.span);
        for (Word& word : node.assignments) (*this)(word);
        for (Word& word : node.words) (*this)(word);
        for (Redirection& redirection : node.redirections) {
            (*this)(redirection.span);
            (*this)(redirection.operation);
            (*this)(redirection.target);
        }
        for (Node& child : node.children) (*this)(child);
    }

    const std::vector<std::uint32_t>& at_;
    std::size_t end_;
};

}  // namespace

void remap(Script& script, const std::vector<std::uint32_t>& at, std::size_t end) {
    Remap{at, end}(script);
}

}  // namespace command
