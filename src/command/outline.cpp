// A walk over the tree that collects commands and redirections.
#include "command/outline.h"

#include <algorithm>
#include <utility>

#include "command/parser.h"
#include "command/unwrap.h"

namespace command {

namespace {

Argument argument(const Word& word) {
    Argument result;
    result.span = word.span;
    result.expands = word.expands;
    if (word.constant) {
        result.value = word.literal.text;
    } else {
        result.tail = word.literal.text;
    }
    return result;
}

class Walk {
  public:
    void script(const Script& script, unsigned depth) {
        out.complete = out.complete && script.complete;
        for (const Node& child : script.commands) node(child, script, depth);
        for (const Heredoc& heredoc : script.heredocs) parts(heredoc.body.parts, depth);
    }

    Outline out;

  private:
    void parts(const std::vector<Part>& list, unsigned depth) {
        for (const Part& part : list) {
            const bool outer =
                std::exchange(verbatim_, verbatim_ && part.kind != PartKind::backtick);
            for (const Script& inner : part.scripts) script(inner, depth + 1);
            verbatim_ = outer;
            parts(part.parts, depth);
        }
    }

    void words(const std::vector<Word>& list, unsigned depth) {
        for (const Word& word : list) parts(word.parts, depth);
    }

    void node(const Node& node, const Script& script, unsigned depth) {
        if (node.kind == NodeKind::simple) simple(node, script);
        for (const Redirection& redirection : node.redirections) {
            out.redirections.push_back({redirection.span, redirection.op,
                                        argument(redirection.target), node.span,
                                        redirection.heredoc.has_value()});
            parts(redirection.target.parts, depth);
        }
        words(node.assignments, depth);
        words(node.words, depth);
        for (const Node& child : node.children) this->node(child, script, depth);
        if (node.kind == NodeKind::simple && depth < max_depth) {
            if (const auto inner = unwrap(node)) {
                const bool outer = std::exchange(verbatim_, false);
                this->script(parse_mapped(inner->script, inner->end, depth + 1),
                             depth + unwrap_cost);
                verbatim_ = outer;
            }
        }
    }

    void simple(const Node& node, const Script& script) {
        SimpleCommand command;
        command.span = node.span;
        command.end = node.span.end;
        command.verbatim = verbatim_;
        command.assigns = !node.assignments.empty();
        command.redirects = !node.redirections.empty();
        for (const Word& word : node.words) command.words.push_back(argument(word));
        for (const Redirection& redirection : node.redirections) {
            if (!redirection.heredoc) continue;
            command.heredoc = true;
            command.end = std::max(command.end, script.heredocs[*redirection.heredoc].end);
        }
        out.commands.push_back(std::move(command));
    }

    bool verbatim_ = true;
    /// Every level of quoted scripts parses its text anew.
    static constexpr unsigned unwrap_cost = max_depth / 8;
};

template <class T>
void sort_by_begin(std::vector<T>& list) {
    std::stable_sort(list.begin(), list.end(),
                     [](const T& a, const T& b) { return a.span.begin < b.span.begin; });
}

}  // namespace

Outline outline(std::string_view text) {
    Walk walk;
    walk.script(parse(text), 0);
    sort_by_begin(walk.out.commands);
    sort_by_begin(walk.out.redirections);
    return std::move(walk.out);
}

}  // namespace command
