// Recursive descent over the shell's grammar; what does not fit is passed over, token by token.
#include "command/parser.h"

#include <utility>

#include "command/ascii.h"
#include "command/lexer.h"
#include "command/remap.h"

namespace command {

namespace {

class Parser {
  public:
    Parser(std::string_view text, std::size_t begin, Close close, unsigned depth)
        : text_(text), begin_(begin), close_(close), depth_(depth), lexer_(text, begin, depth) {}

    Script run();

  private:
    bool ends_list();
    void skip_newlines();
    void list(std::vector<Node>& out);
    Node and_or();
    Node pipeline();
    /// Appends to `node`, which has its first part, those behind the operators `one` and `other`.
    void continue_chain(Node& node, std::string_view one, std::string_view other,
                        Node (Parser::*part)());
    Node command();
    Node compound(std::string_view word);
    void simple(Node& node);
    void function_body(Node& node);
    void redirection(Node& node);
    void conditional(Node& node);
    void loop(Node& node, std::string_view word);
    void selection(Node& node);
    void clause(Node& node);
    void function(Node& node);
    void test(Node& node);
    bool expect(std::string_view reserved);
    bool expect_operator(std::string_view op);
    bool at_redirection();
    bool at_word() { return !lexer_.at_end() && lexer_.peek().kind == TokenKind::word; }
    bool is_assignment(const Word& word) const;
    std::size_t start() { return lexer_.at_end() ? text_.size() : lexer_.peek().span.begin; }
    void finish(Node& node, std::size_t begin);

    std::string_view text_;
    std::size_t begin_;
    Close close_;
    unsigned depth_;
    std::size_t end_ = 0;  ///< End of the last token taken that is not trivia.
    bool complete_ = true;
    Lexer lexer_;

    Token take() {
        const Token token = lexer_.take();
        end_ = token.span.end;
        return token;
    }
    Word take_word() {
        end_ = lexer_.peek().span.end;
        return lexer_.take_word();
    }
};

Script Parser::run() {
    Script script;
    for (;;) {
        list(script.commands);
        if (lexer_.at_end()) break;
        if (close_ == Close::parenthesis && lexer_.next_is(")")) break;
        complete_ = false;
        take();
    }
    script.span = {begin_, std::max(begin_, lexer_.position())};
    script.complete = complete_ && lexer_.complete();
    script.tokens = std::move(lexer_.tokens);
    script.heredocs = std::move(lexer_.heredocs);
    return script;
}

/// Whether the next token closes some construct; whether it is the one that is open is for its
/// owner to see.
bool Parser::ends_list() {
    if (lexer_.at_end()) return true;
    if (lexer_.next_is(")") || lexer_.next_is(";;") || lexer_.next_is(";&") ||
        lexer_.next_is(";;&")) {
        return true;
    }
    const std::string_view word = lexer_.reserved();
    return word == "then" || word == "elif" || word == "else" || word == "fi" || word == "do" ||
           word == "done" || word == "esac" || word == "}";
}

void Parser::skip_newlines() {
    while (!lexer_.at_end() && lexer_.peek().kind == TokenKind::newline) take();
}

void Parser::list(std::vector<Node>& out) {
    for (;;) {
        skip_newlines();
        if (ends_list()) return;
        Node node = and_or();
        const bool newline = !lexer_.at_end() && lexer_.peek().kind == TokenKind::newline;
        if (newline || lexer_.next_is(";") || lexer_.next_is("&")) {
            node.after = lexer_.peek_text();
            take();
        } else if (!ends_list()) {
            complete_ = false;
        }
        const bool nothing = node.kind == NodeKind::simple && node.words.empty() &&
                             node.assignments.empty() && node.redirections.empty();
        if (!nothing) out.push_back(std::move(node));
    }
}

void Parser::finish(Node& node, std::size_t begin) {
    node.span = {begin, std::max(begin, end_)};
}

void Parser::continue_chain(Node& node, std::string_view one, std::string_view other,
                            Node (Parser::*part)()) {
    while (lexer_.next_is(one) || lexer_.next_is(other)) {
        node.children.back().after = lexer_.peek_text();
        take();
        skip_newlines();
        if (ends_list()) {
            complete_ = false;
            return;
        }
        node.children.push_back((this->*part)());
    }
}

Node Parser::and_or() {
    const std::size_t begin = start();
    Node first = pipeline();
    if (!lexer_.next_is("&&") && !lexer_.next_is("||")) return first;
    Node node;
    node.kind = NodeKind::and_or;
    node.children.push_back(std::move(first));
    continue_chain(node, "&&", "||", &Parser::pipeline);
    finish(node, begin);
    return node;
}

Node Parser::pipeline() {
    const std::size_t begin = start();
    Node node;
    node.kind = NodeKind::pipeline;
    bool prefixed = false;
    while (lexer_.reserved() == "!" || lexer_.reserved() == "time") {
        const bool timed = lexer_.reserved() == "time";
        take();
        prefixed = true;
        if (timed && lexer_.peek_text() == "-p") take();
    }
    if (prefixed && (ends_list() || lexer_.peek().kind == TokenKind::newline)) {
        finish(node, begin);
        return node;
    }
    Node first = command();
    if (!prefixed && !lexer_.next_is("|") && !lexer_.next_is("|&")) return first;
    node.children.push_back(std::move(first));
    continue_chain(node, "|", "|&", &Parser::command);
    finish(node, begin);
    return node;
}

bool Parser::at_redirection() {
    if (lexer_.at_end()) return false;
    const TokenKind kind = lexer_.peek().kind;
    return kind == TokenKind::redirect || kind == TokenKind::descriptor;
}

Node Parser::command() {
    const std::size_t begin = start();
    Node node;
    const std::string_view word = lexer_.reserved();
    const bool opens = lexer_.next_is("(") || (!word.empty() && word != "in" && word != "]]" &&
                                               word != "!" && word != "time");
    if (opens && depth_ < max_depth) {
        ++depth_;
        node = compound(word);
        --depth_;
        while (at_redirection()) redirection(node);
    } else if (at_word() || at_redirection()) {
        simple(node);
    } else {
        complete_ = false;
        if (!ends_list()) take();
    }
    finish(node, begin);
    return node;
}

bool Parser::expect(std::string_view reserved) {
    if (lexer_.reserved() == reserved) {
        take();
        return true;
    }
    complete_ = false;
    return false;
}

bool Parser::expect_operator(std::string_view op) {
    if (lexer_.next_is(op)) {
        take();
        return true;
    }
    complete_ = false;
    return false;
}

Node Parser::compound(std::string_view word) {
    Node node;
    const auto of_kind = [&node](NodeKind kind) -> Node& {
        node.kind = kind;
        return node;
    };
    if (word.empty()) {
        Word expression;
        if (lexer_.take_arithmetic(expression)) {
            end_ = lexer_.position();
            of_kind(NodeKind::arithmetic).words.push_back(std::move(expression));
        } else {
            take();
            list(of_kind(NodeKind::subshell).children);
            expect_operator(")");
        }
    } else if (word == "{") {
        take();
        list(of_kind(NodeKind::group).children);
        expect("}");
    } else if (word == "if") {
        conditional(of_kind(NodeKind::conditional));
    } else if (word == "while" || word == "until" || word == "for" || word == "select") {
        loop(of_kind(NodeKind::loop), word);
    } else if (word == "case") {
        selection(of_kind(NodeKind::selection));
    } else if (word == "function") {
        function(of_kind(NodeKind::function));
    } else if (word == "[[") {
        test(of_kind(NodeKind::test));
    } else if (word == "coproc") {
        take();
        if (!ends_list()) node = command();
    } else {
        complete_ = false;
        take();
    }
    return node;
}

void Parser::conditional(Node& node) {
    take();
    list(node.children);
    if (!expect("then")) return;
    list(node.children);
    while (lexer_.reserved() == "elif") {
        take();
        list(node.children);
        if (!expect("then")) return;
        list(node.children);
    }
    if (lexer_.reserved() == "else") {
        take();
        list(node.children);
    }
    expect("fi");
}

void Parser::loop(Node& node, std::string_view word) {
    const bool counts = word == "for" || word == "select";
    take();
    Word expression;
    if (counts && lexer_.take_arithmetic(expression)) {
        end_ = lexer_.position();
        node.words.push_back(std::move(expression));
    } else if (counts) {
        if (at_word()) node.words.push_back(take_word());
        skip_newlines();
        if (lexer_.peek_text() == "in") {
            take();
            while (at_word()) node.words.push_back(take_word());
        }
    } else {
        list(node.children);
    }
    if (lexer_.next_is(";")) take();
    skip_newlines();
    if (lexer_.reserved() == "{") {
        take();
        list(node.children);
        expect("}");
    } else if (expect("do")) {
        list(node.children);
        expect("done");
    }
}

void Parser::selection(Node& node) {
    take();
    if (at_word()) node.words.push_back(take_word());
    skip_newlines();
    if (lexer_.peek_text() != "in") {
        complete_ = false;
        return;
    }
    take();
    for (;;) {
        skip_newlines();
        if (lexer_.at_end() || lexer_.reserved() == "esac") break;
        if (!at_word() && !lexer_.next_is("(")) break;
        clause(node);
    }
    expect("esac");
}

void Parser::clause(Node& node) {
    const std::size_t begin = start();
    Node clause;
    clause.kind = NodeKind::clause;
    if (lexer_.next_is("(")) take();
    while (at_word() || lexer_.next_is("|")) {
        at_word() ? clause.words.push_back(take_word()) : static_cast<void>(take());
    }
    if (expect_operator(")")) list(clause.children);
    const std::string end(lexer_.peek_text());
    if (end == ";;" || end == ";&" || end == ";;&") take();
    finish(clause, begin);
    node.children.push_back(std::move(clause));
}

void Parser::function(Node& node) {
    take();
    if (at_word()) node.words.push_back(take_word());
    if (lexer_.next_is("(")) {
        take();
        expect_operator(")");
    }
    function_body(node);
}

void Parser::function_body(Node& node) {
    skip_newlines();
    if (ends_list()) {
        complete_ = false;
        return;
    }
    if (depth_ >= max_depth) {
        complete_ = false;
        take();
        return;
    }
    ++depth_;
    node.children.push_back(command());
    --depth_;
}

void Parser::test(Node& node) {
    take();
    while (!lexer_.at_end() && !lexer_.next_is(";")) {
        if (lexer_.peek_text() == "]]") {
            take();
            return;
        }
        at_word() ? node.words.push_back(take_word()) : static_cast<void>(take());
    }
    complete_ = false;
}

bool Parser::is_assignment(const Word& word) const {
    if (word.parts.empty() || word.parts[0].kind != PartKind::literal) return false;
    const core::Span span = word.parts[0].span;
    const std::string_view text = text_.substr(span.begin, span.size());
    std::string_view name = text.substr(0, text.find('='));
    if (name.size() == text.size()) return false;
    if (!name.empty() && name.back() == '+') name.remove_suffix(1);
    if (!name.empty() && name.back() == ']') name = name.substr(0, name.find('['));
    return is_name(name);
}

void Parser::simple(Node& node) {
    for (;;) {
        if (at_redirection()) {
            redirection(node);
        } else if (at_word()) {
            Word word = take_word();
            const bool assigns = node.words.empty() && is_assignment(word);
            (assigns ? node.assignments : node.words).push_back(std::move(word));
        } else {
            break;
        }
    }
    const bool names =
        node.words.size() == 1 && node.assignments.empty() && node.redirections.empty();
    if (names && lexer_.next_is("(")) {
        take();
        node.kind = NodeKind::function;
        if (expect_operator(")")) function_body(node);
    }
}

void Parser::redirection(Node& node) {
    Redirection redirection;
    redirection.span.begin = lexer_.peek().span.begin;
    if (lexer_.peek().kind == TokenKind::descriptor) take();
    redirection.op = lexer_.peek_text();
    redirection.operation = take().span;
    const bool has_target =
        at_word() || (!lexer_.at_end() && lexer_.peek().kind == TokenKind::descriptor);
    if (has_target) {
        redirection.target = take_word();
        if (redirection.op == "<<" || redirection.op == "<<-") {
            redirection.heredoc = lexer_.expect_heredoc(redirection);
        }
    } else {
        complete_ = false;
    }
    redirection.span.end = end_;
    node.redirections.push_back(std::move(redirection));
}

}  // namespace

Script parse_from(std::string_view text, std::size_t begin, Close close, unsigned depth) {
    return Parser(text, begin, close, depth).run();
}

Script parse(std::string_view text) {
    Script script = parse_from(text.substr(0, max_text), 0, Close::end, 0);
    if (text.size() > max_text) script.complete = false;
    return script;
}

Script parse_mapped(const Literal& literal, std::size_t end, unsigned depth) {
    Script script = parse_from(literal.text, 0, Close::end, depth);
    remap(script, literal.at, end);
    return script;
}

}  // namespace command
